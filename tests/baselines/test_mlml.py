"""MLML-exact and MLML-appro, against dense solvers, and against the objective from the raw matrices."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import sparse
from scipy.linalg import solve_sylvester
from tests.solvers.conic import graphs, pairwise, weights
from tests.strategies import label_matrices

from tagweave.baselines import MLMLAppro, MLMLExact
from tagweave.baselines.shifted_systems import solve_shifted
from tagweave.graphs import normalized_laplacian

pytestmark = pytest.mark.filterwarnings("ignore::tagweave.exceptions.LabelWarning")


class Small(NamedTuple):
    """A small problem and its raw matrices."""

    Y: NDArray[np.float64]
    W_X: NDArray[np.float64]
    W_C: NDArray[np.float64]
    beta: float
    gamma: float

    def fit(self, kind):
        model = kind(self.beta, self.gamma, self.W_X, self.W_C, tol=1e-12)
        return model.fit(np.zeros((len(self.Y), 1)), self.Y)

    @property
    def signed(self):
        return np.nan_to_num(2 * self.Y - 1)

    def laplacians(self):
        return (normalized_laplacian(sparse.csr_array(W)).toarray() for W in (self.W_X, self.W_C))

    def objective(self, Z):
        value = np.square(Z - self.signed).sum()
        value += self.beta * np.square(pairwise(self.W_X) @ Z).sum()
        return value + self.gamma * np.square(Z @ pairwise(self.W_C).T).sum()


@st.composite
def problems(draw):
    m = draw(st.integers(1, 5))
    Y = draw(label_matrices(m, max_rows=7).filter(lambda Y: not np.isnan(Y).all()))
    return Small(Y, draw(graphs(len(Y))), draw(graphs(m)), draw(weights()), draw(weights()))


@given(problems())
def test_the_exact_scores_solve_the_sylvester_equation(problem):
    L_X, L_C = problem.laplacians()
    half = 0.5 * np.eye(len(L_X)), 0.5 * np.eye(len(L_C))
    expected = solve_sylvester(half[0] + problem.beta * L_X, half[1] + problem.gamma * L_C, problem.signed)
    model = problem.fit(MLMLExact)
    np.testing.assert_allclose(model.scores_, expected, atol=1e-9)
    assert model.residual_ < 1e-9


@given(problems(), st.integers(0, 2**32 - 1))
def test_no_other_scores_have_a_smaller_objective(problem, seed):
    Z = problem.fit(MLMLExact).scores_
    best = problem.objective(Z)
    for size in (1e-3, 1.0):
        other = Z + np.random.default_rng(seed).normal(size=Z.shape) * size
        # The objective grows by at least the square of the distance: the Hessian of its first term is 2 I.
        assert problem.objective(other) >= best + 0.999 * np.square(other - Z).sum() - 1e-9 * (1 + best)


@given(problems())
def test_the_approximate_scores_solve_the_product_of_both_systems(problem):
    L_X, L_C = problem.laplacians()
    product = np.kron(np.eye(len(L_X)) + problem.beta * L_X, np.eye(len(L_C)) + problem.gamma * L_C)
    expected = np.linalg.solve(product, problem.signed.ravel()).reshape(problem.Y.shape)
    model = problem.fit(MLMLAppro)
    np.testing.assert_allclose(model.scores_, expected, atol=1e-9)
    assert model.residual_ < 1e-9


@given(problems(), st.sampled_from(["beta", "gamma"]))
def test_both_are_the_same_where_one_weight_is_zero(problem, name):
    problem = problem._replace(**{name: 0.0})
    np.testing.assert_allclose(problem.fit(MLMLAppro).scores_, problem.fit(MLMLExact).scores_, atol=1e-9)


def test_the_residual_says_how_far_the_equation_is_from_holding():
    Y = np.array([[1.0, 0.0], [np.nan, 1.0], [0.0, np.nan]])
    W = np.ones((3, 3)) - np.eye(3)
    model = MLMLExact(3.0, 1.0, W, [[0, 1], [1, 0]], tol=10.0).fit(np.zeros((3, 1)), Y)
    L_X, L_C = normalized_laplacian(sparse.csr_array(W)), np.array([[1, -1], [-1, 1]])
    signed, Z = np.nan_to_num(2 * Y - 1), model.scores_
    error = signed - Z - 3 * (L_X @ Z) - Z @ L_C
    assert model.residual_ == pytest.approx(np.linalg.norm(error) / np.linalg.norm(signed))
    assert model.residual_ > 0.1


@given(st.data())
def test_shifted_systems_are_solved_column_by_column_to_the_tolerance(data):
    n, m = data.draw(st.integers(1, 12)), data.draw(st.integers(1, 4))
    L = normalized_laplacian(sparse.csr_array(data.draw(graphs(n))))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    shifts, right = rng.uniform(0.5, 20, m), rng.normal(size=(n, m)) * (rng.uniform(size=m) < 0.8)
    scale = data.draw(st.sampled_from([0.0, 0.1, 10.0, 1000.0]))
    Z = solve_shifted(L, scale, shifts, right, tol=1e-10)
    for j in range(m):
        error = shifts[j] * Z[:, j] + scale * (L @ Z[:, j]) - right[:, j]
        assert np.linalg.norm(error) <= 1e-9 * np.linalg.norm(right[:, j])
