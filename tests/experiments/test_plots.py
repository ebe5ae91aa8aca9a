from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tagweave.experiments.methods import METHODS
from tagweave.experiments.plots import COLOURS, Line, draw_lines, label_ends, new_drawing, spaced, style

places = st.lists(st.floats(-2, 2), max_size=9)


@given(places, st.floats(0.001, 0.5))
def test_labels_never_touch_and_keep_their_order(wanted, gap):
    found = np.array(spaced(wanted, gap))
    order = np.argsort(wanted, kind="stable")
    assert (np.diff(found[order]) >= gap - 1e-9).all()


@given(places, st.floats(0.001, 0.5))
def test_labels_stay_together_where_they_were(wanted, gap):
    assert np.mean(spaced(wanted, gap) or [0]) == pytest.approx(np.mean(wanted or [0]), abs=1e-9)


def test_labels_with_room_do_not_move():
    assert spaced([0.9, 0.1, 0.5], 0.1) == pytest.approx([0.9, 0.1, 0.5])


def test_every_method_has_a_colour_of_its_own():
    assert set(METHODS) <= set(COLOURS)
    assert len(set(COLOURS.values())) == len(COLOURS)


@pytest.mark.parametrize("paper", [(255, 255, 255), (15, 20, 25)])
def test_colours_stand_out_from_light_and_dark_paper(paper):
    def luminance(rgb):
        linear = [c / 12.92 if (c := v / 255) <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for v in rgb]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    for colour in COLOURS.values():
        rgb = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
        dark, light = sorted((luminance(rgb), luminance(paper)))
        assert (light + 0.05) / (dark + 0.05) > 2


def test_a_line_without_points_is_no_trouble():
    with style("empty"):
        axis = new_drawing(3, 3).subplots()
        nothing = Line("a", [], [], [], "#000000")
        draw_lines(axis, [nothing], title="")
        label_ends(axis, [nothing])
        assert not axis.texts
