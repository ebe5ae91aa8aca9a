"""Archives are unpacked whole or not at all, and never out of their folder."""

from __future__ import annotations

import io
import stat
import tarfile
import zipfile

import pytest

from tagweave.datasets import unpack
from tagweave.exceptions import DataError

FILES = {"pets/labels.csv": b"dog\n1\n", "pets/in/colours.csv": b"r\n0.5\n", "readme": b""}


def make_tar(path, mode, files=FILES, change=None):
    with tarfile.open(path, f"w:{mode}") as archive:
        folder = tarfile.TarInfo("pets")
        folder.type = tarfile.DIRTYPE
        archive.addfile(folder)
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size, info.mode = len(content), 0o777
            if change:
                change(info)
            archive.addfile(info, io.BytesIO(content) if info.isreg() else None)
    return path


def make_zip(path, files=FILES, attributes=0):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.mkdir("pets")
        for name, content in files.items():
            info = zipfile.ZipInfo(name)
            info.external_attr = attributes << 16
            archive.writestr(info, content, zipfile.ZIP_DEFLATED)
    return path


def content(folder):
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@pytest.mark.parametrize("kind", ["", "gz", "bz2", "xz", "zip"])
def test_every_kind_is_unpacked(kind, tmp_path):
    path = tmp_path / f"a.{kind or 'tar'}"
    make_zip(path) if kind == "zip" else make_tar(path, kind)
    folder = unpack(path, tmp_path / "new" / "a")
    assert content(folder) == FILES
    assert not folder.joinpath("readme").stat().st_mode & stat.S_IXUSR


def test_a_folder_is_not_replaced_unasked(tmp_path):
    path = make_zip(tmp_path / "a.zip")
    unpack(path, tmp_path / "a")
    with pytest.raises(FileExistsError):
        unpack(path, tmp_path / "a")
    (tmp_path / "a" / "readme").write_text("changed")
    assert content(unpack(path, tmp_path / "a", overwrite=True)) == FILES


@pytest.mark.parametrize(
    "name",
    ["../evil", "/evil", "pets/../../evil", "..\\evil", "C:\\evil", "C:evil", "\\evil", "//host/evil", ".."],
)
@pytest.mark.parametrize("kind", ["tar", "zip"])
def test_a_name_that_leads_out_of_the_folder_is_refused(name, kind, tmp_path):
    path = tmp_path / f"a.{kind}"
    files = {"good": b"1", name: b"evil"}
    make_zip(path, files) if kind == "zip" else make_tar(path, "", files)
    with pytest.raises(DataError, match=r"a\.(tar|zip): member .*evil'|member '\.\.'"):
        unpack(path, tmp_path / "in" / "a")
    assert not list(tmp_path.rglob("*evil*"))
    assert not list((tmp_path / "in").iterdir())


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE])
def test_links_and_devices_in_a_tar_are_refused(kind, tmp_path):
    def change(info):
        info.type, info.linkname = kind, "/etc/passwd"

    path = make_tar(tmp_path / "a.tar", "", {"pets/link": b""}, change)
    with pytest.raises(DataError, match=r"a\.tar: member 'pets/link': neither a file nor a folder"):
        unpack(path, tmp_path / "a")
    assert not (tmp_path / "a").exists()


def test_links_in_a_zip_are_refused(tmp_path):
    path = make_zip(tmp_path / "a.zip", {"link": b"/etc/passwd"}, stat.S_IFLNK | 0o777)
    with pytest.raises(DataError, match=r"a\.zip: member 'link': neither a file nor a folder"):
        unpack(path, tmp_path / "a")


@pytest.mark.parametrize("kind", ["bz2", "zip"])
def test_a_bomb_is_stopped(kind, tmp_path):
    path, files = tmp_path / f"a.{kind}", {"small": b"1", "bomb": bytes(3_000_000)}
    make_zip(path, files) if kind == "zip" else make_tar(path, kind, files)
    assert path.stat().st_size < 10_000
    with pytest.raises(DataError, match="member 'bomb': more than 1000000 bytes unpacked"):
        unpack(path, tmp_path / "a", largest=1_000_000)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("kind", ["", "gz", "bz2", "xz", "zip"])
def test_an_archive_cut_off_is_refused_by_name_and_leaves_nothing(kind, tmp_path):
    path = tmp_path / f"a.{kind or 'tar'}"
    files = {f"file{k}": bytes(range(256)) * 40 for k in range(3)}
    make_zip(path, files) if kind == "zip" else make_tar(path, kind, files)
    whole = path.read_bytes()
    for end in (0, 1, len(whole) // 3, len(whole) // 2):
        path.write_bytes(whole[:end])
        with pytest.raises(DataError, match=rf"a\.{kind or 'tar'}: at or after .*: damaged or cut off"):
            unpack(path, tmp_path / "a")
        assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_a_byte_changed_in_a_zip_is_noticed_with_its_member(tmp_path):
    path = make_zip(tmp_path / "a.zip", {"file": bytes(1000)})
    whole = bytearray(path.read_bytes())
    whole[whole.index(b"file") + 8] ^= 0xFF
    path.write_bytes(whole)
    with pytest.raises(DataError, match=r"a\.zip: at or after member 'file': damaged"):
        unpack(path, tmp_path / "a")


@pytest.mark.parametrize("files", [[("a", b"1"), ("a", b"2")], [("a", b"1"), ("a/b", b"2")]])
def test_a_name_that_is_taken_is_refused(files, tmp_path):
    path = tmp_path / "a.tar"
    with tarfile.open(path, "w") as archive:
        for name, data in files:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    with pytest.raises(DataError, match=r"a\.tar: member 'a(/b)?': a second file of this name"):
        unpack(path, tmp_path / "a")


def test_a_rar_says_who_can_unpack_it(tmp_path):
    with pytest.raises(
        DataError, match=r"mediamill\.rar: a \.rar archive, which Python cannot read; unpack it with unar"
    ):
        unpack(tmp_path / "mediamill.rar", tmp_path / "a")
