"""What a download promises, whatever the server does."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import ssl
import subprocess
import sys
import threading
import time
import urllib.error
from functools import partial

import pytest

from tagweave.datasets import DownloadBar, DownloadProgress, download
from tagweave.datasets.transfer import part_path
from tagweave.exceptions import DataError, DownloadError

# Long enough for a busy machine; where a server stalls, tests say so.
quick = partial(download, pause=0.001, timeout=10)


def sha(content):
    return hashlib.sha256(content).hexdigest()


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_file_comes_whole_with_a_receipt_and_nothing_else(server, tmp_path):
    path = quick(server.url + "/a.bin", tmp_path / "deep" / "a.bin")
    assert path.read_bytes() == server.content
    assert names(path.parent) == [".a.bin.receipt.json", "a.bin"]
    receipt = json.loads((path.parent / ".a.bin.receipt.json").read_text())
    assert receipt == {"sha256": sha(server.content), "size": len(server.content), "url": server.url + "/a.bin"}
    assert server.requests[0]["User-Agent"].startswith("tagweave/")


def test_what_is_there_and_right_is_not_asked_for_again(server, tmp_path):
    for checksum in (None, sha(server.content), "md5:" + hashlib.md5(server.content).hexdigest()):
        quick(server.url, tmp_path / "a.bin", checksum=checksum)
    assert len(server.requests) == 1


@pytest.mark.parametrize("how", ["cut", "stall"])
@pytest.mark.parametrize("etag", ['"v1"', None])
def test_an_interrupted_download_goes_on_from_where_it_ended(how, etag, server, tmp_path):
    server.etag, server.modified = etag, "Thu, 19 Nov 2026 10:00:00 GMT"
    server.script.extend([how, how])
    path = quick(server.url, tmp_path / "a.bin", timeout=0.5 if how == "stall" else 10)
    assert path.read_bytes() == server.content
    assert server.ranges == [None, "bytes=100000-", "bytes=150000-"]
    assert server.requests[1]["If-Range"] == (etag or server.modified)


def test_without_checksum_and_version_parts_are_never_mixed(server, tmp_path):
    server.etag = None
    server.script.append("cut")
    assert quick(server.url, tmp_path / "a.bin").read_bytes() == server.content
    assert server.ranges == [None, None]


def test_a_weak_version_is_no_version(server, tmp_path):
    server.etag = 'W/"v1"'
    server.script.append("cut")
    quick(server.url, tmp_path / "a.bin")
    assert server.ranges == [None, None]


def test_with_a_checksum_a_part_goes_on_without_a_version_and_at_a_mirror(server, tmp_path):
    server.etag = None
    server.script.extend(["cut", 404])
    checksum = sha(server.content)
    path = quick([server.url + "/a", server.url + "/b"], tmp_path / "a.bin", checksum=checksum, attempts=2)
    assert path.read_bytes() == server.content
    assert server.ranges == [None, "bytes=100000-", "bytes=100000-"]


def test_a_server_that_ignores_the_range_is_taken_from_the_start(server, tmp_path):
    server.script.extend(["cut", "ignore"])
    assert quick(server.url, tmp_path / "a.bin").read_bytes() == server.content


def test_a_file_that_changed_meanwhile_is_taken_from_the_start(server, tmp_path):
    server.script.append("cut")
    with pytest.raises(DownloadError):
        quick(server.url, tmp_path / "a.bin", attempts=1)
    server.content, server.etag = server.content[::-1], '"v2"'
    assert quick(server.url, tmp_path / "a.bin").read_bytes() == server.content
    assert server.requests[1]["If-Range"] == '"v1"'


def test_parts_of_different_files_are_told_apart_by_the_checksum(server, tmp_path):
    server.etag = None
    good, server.content = server.content, bytes(len(server.content))
    server.script.append("cut")
    with pytest.raises(DownloadError):
        quick(server.url, tmp_path / "a.bin", attempts=1, checksum=sha(good))
    server.content = good
    assert quick(server.url, tmp_path / "a.bin", checksum=sha(good)).read_bytes() == good
    assert server.ranges == [None, "bytes=100000-", None]


@pytest.mark.parametrize("how", ["misplace", "unplaced"])
def test_another_range_than_the_one_asked_for_is_refused(how, server, tmp_path):
    server.script.extend(["cut", how])
    assert quick(server.url, tmp_path / "a.bin").read_bytes() == server.content
    assert server.ranges == [None, "bytes=100000-", None]


def test_a_part_that_is_all_there_needs_no_more_bytes(server, tmp_path):
    quick(server.url, tmp_path / "a.bin")
    (tmp_path / "a.bin").rename(part_path(tmp_path / "a.bin"))
    state = {"url": server.url, "validator": '"v1"', "total": len(server.content)}
    (tmp_path / ".a.bin.part.json").write_text(json.dumps(state))
    assert quick(server.url, tmp_path / "a.bin").read_bytes() == server.content
    assert server.ranges == [None, "bytes=200000-"]


def test_a_part_that_is_longer_than_the_file_is_thrown_away(server, tmp_path):
    part_path(tmp_path / "a.bin").write_bytes(bytes(300_000))
    (tmp_path / ".a.bin.part.json").write_text(json.dumps({"url": server.url, "validator": '"v1"', "total": None}))
    assert quick(server.url, tmp_path / "a.bin").read_bytes() == server.content
    assert server.ranges == ["bytes=300000-", None]


@pytest.mark.parametrize("state", ["", "[]", "{}", None])
def test_a_part_of_which_nothing_is_known_is_not_trusted(state, server, tmp_path):
    part_path(tmp_path / "a.bin").write_bytes(bytes(1000))
    if state is not None:
        (tmp_path / ".a.bin.part.json").write_text(state)
    assert quick(server.url, tmp_path / "a.bin").read_bytes() == server.content


@pytest.mark.parametrize("status", [500, 503, 429, 408])
def test_a_passing_fault_is_tried_again(status, server, tmp_path):
    server.script.extend([status, "vanish"])
    assert quick(server.url, tmp_path / "a.bin").read_bytes() == server.content
    assert len(server.requests) == 3


@pytest.mark.parametrize("status", [404, 403, 410])
def test_a_lasting_fault_leads_to_the_mirror_at_once(status, server, tmp_path):
    server.script.append(status)
    assert quick([server.url + "/a", server.url + "/b"], tmp_path / "a.bin").read_bytes() == server.content
    assert len(server.requests) == 2


def test_when_nobody_serves_the_error_says_what_each_did(server, tmp_path):
    server.script.extend([404, 500, 500])
    gone = "http://127.0.0.1:1/a"
    with pytest.raises(DownloadError) as caught:
        quick([server.url + "/a", server.url + "/b", gone], tmp_path / "a.bin", attempts=2)
    message = str(caught.value)
    assert f"{server.url}/a: HTTP 404" in message
    assert f"{server.url}/b: HTTP 500" in message
    assert f"{gone}: ConnectionRefusedError: [Errno 111] Connection refused" in message
    assert not list(tmp_path.iterdir())


def test_a_server_that_stalls_for_ever_is_given_up_in_time(server, tmp_path):
    server.script.extend(["stall"] * 3)
    start = time.monotonic()
    with pytest.raises(DownloadError, match=r"nothing came for 0.2 seconds, after byte 150000"):
        quick(server.url, tmp_path / "a.bin", attempts=2, timeout=0.2)
    assert time.monotonic() - start < 5
    assert not (tmp_path / "a.bin").exists()


def test_a_truncated_answer_says_how_much_came(server, tmp_path):
    server.script.append("cut")
    with pytest.raises(DownloadError, match=r"100000 of 200000 bytes came, after byte 100000"):
        quick(server.url, tmp_path / "a.bin", attempts=1)
    assert names(tmp_path) == [".a.bin.part", ".a.bin.part.json"]


def test_wrong_content_is_refused_and_thrown_away_and_the_mirror_asked(server, tmp_path):
    server.script.append("lie")
    checksum = sha(server.content)
    path = quick([server.url + "/a", server.url + "/b"], tmp_path / "a.bin", checksum=checksum)
    assert path.read_bytes() == server.content
    server.script.append("lie")
    with pytest.raises(DownloadError, match=f"wrong content: 200000 bytes with sha256 [0-9a-f]+; expected {checksum}"):
        quick(server.url, tmp_path / "b.bin", checksum="sha256:" + checksum.upper())
    assert not [name for name in names(tmp_path) if "b.bin" in name]


@pytest.mark.parametrize(("how", "why"), [("html", "a web page"), ("encode", "the encoding 'gzip', unasked")])
def test_what_is_no_file_is_refused(how, why, server, tmp_path):
    server.script.append(how)
    with pytest.raises(DownloadError, match=why):
        quick(server.url, tmp_path / "a.bin")
    assert len(server.requests) == 1


def test_a_web_page_that_was_asked_for_comes(server, tmp_path):
    server.script.append("html")
    assert quick(server.url, tmp_path / "a.html").read_bytes() == server.content


def test_an_answer_of_unknown_length_comes(server, tmp_path):
    server.script.append("unsized")
    seen = []
    assert quick(server.url, tmp_path / "a.bin", progress=seen.append).read_bytes() == server.content
    assert seen[-1].total is None


def test_an_answer_in_chunks_that_is_cut_off_goes_on(server, tmp_path):
    server.script.append("chunk")
    assert quick(server.url, tmp_path / "a.bin").read_bytes() == server.content
    assert server.ranges == [None, "bytes=15000-"]


def test_more_than_there_is_is_not_taken(server, tmp_path):
    server.script.extend(["cut", "overlong"])
    assert quick(server.url, tmp_path / "a.bin").read_bytes() == server.content
    assert server.ranges[:2] == [None, "bytes=100000-"]


def test_a_certificate_that_is_wrong_stays_wrong(server, tmp_path, monkeypatch):
    asked = []

    def refuse(request, timeout):
        asked.append(request.full_url)
        raise urllib.error.URLError(ssl.SSLCertVerificationError("self-signed certificate"))

    monkeypatch.setattr("urllib.request.urlopen", refuse)
    with pytest.raises(DownloadError, match=r"SSLCertVerificationError: .*self-signed"):
        quick("https://127.0.0.1/a", tmp_path / "a.bin")
    assert len(asked) == 1


def test_a_full_disk_is_told_as_such(server, tmp_path, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tagweave.datasets.transfer._write_state", full)
    with pytest.raises(OSError, match="No space left"):
        quick(server.url, tmp_path / "a.bin")
    assert len(server.requests) == 1


def test_a_damaged_file_is_downloaded_again_and_must_be_that_of_the_first_time(server, tmp_path):
    path = quick(server.url, tmp_path / "a.bin")
    path.write_bytes(b"damaged")
    assert quick(server.url, path).read_bytes() == server.content
    path.unlink()
    server.content = server.content[::-1]
    with pytest.raises(DownloadError, match=r"the checksum of the first download; remove .*receipt\.json to accept"):
        quick(server.url, path)
    assert not path.exists()
    (tmp_path / ".a.bin.receipt.json").unlink()
    assert quick(server.url, path).read_bytes() == server.content


@pytest.mark.parametrize("text", ["", "[]", "{}"])
def test_a_damaged_receipt_is_named(text, server, tmp_path):
    path = quick(server.url, tmp_path / "a.bin")
    (tmp_path / ".a.bin.receipt.json").write_text(text)
    with pytest.raises(DataError, match=r"\.a\.bin\.receipt\.json: no receipt, or damaged"):
        quick(server.url, path)


def test_the_callback_sees_bytes_grow_and_stops(server, tmp_path):
    seen = []

    def stop(progress):
        seen.append(progress)
        return progress.done > 100_000

    with pytest.raises(DownloadError, match="stopped by the callback"):
        quick(server.url, tmp_path / "a.bin", progress=stop)
    last = seen[-1].done
    assert quick(server.url, tmp_path / "a.bin", progress=seen.append).read_bytes() == server.content
    assert server.ranges == [None, f"bytes={last}-"]
    assert [progress.done for progress in seen] == sorted(progress.done for progress in seen)
    assert (seen[-1].name, seen[-1].total, seen[-1].done) == ("a.bin", 200_000, 200_000)


def test_threads_that_want_the_same_file_ask_for_it_once(server, tmp_path):
    server.script.append("slow")
    threads = [threading.Thread(target=quick, args=(server.url, tmp_path / "a.bin")) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert len(server.requests) == 1
    assert names(tmp_path) == [".a.bin.receipt.json", "a.bin"]


CHILD = "import sys; from tagweave.datasets import download; download(sys.argv[1], sys.argv[2])"


def child(*arguments):
    return subprocess.Popen([sys.executable, "-c", CHILD, *map(str, arguments)])


def test_processes_that_want_the_same_file_ask_for_it_once(server, tmp_path):
    server.script.extend(["slow"] * 2)
    children = [child(server.url, tmp_path / "a.bin") for _ in range(2)]
    assert [process.wait(20) for process in children] == [0, 0]
    assert len(server.requests) == 1
    assert (tmp_path / "a.bin").read_bytes() == server.content


def test_a_process_killed_in_the_middle_leaves_no_file_and_the_next_goes_on(server, tmp_path):
    server.script.append("slow")
    server.nap, path = 0.05, tmp_path / "a.bin"
    process = child(server.url, path)
    wait_until(lambda: part_path(path).exists() and part_path(path).stat().st_size > 20_000)
    os.kill(process.pid, signal.SIGKILL)
    process.wait(10)
    assert not path.exists()
    came = part_path(path).stat().st_size
    assert 20_000 < came < 200_000
    assert quick(server.url, path).read_bytes() == server.content
    assert server.ranges == [None, f"bytes={came}-"]
    assert names(tmp_path) == [".a.bin.receipt.json", "a.bin"]


def wait_until(condition, seconds=15):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"urls": []}, "urls: none; expected one at least"),
        ({"urls": "file:///etc/passwd"}, "urls: 'file:///etc/passwd'; expected an address of http, https, ftp, doi"),
        ({"attempts": 0}, "attempts=0; expected at least 1"),
        ({"checksum": "sha256:12"}, "checksum='sha256:12'; expected algorithm:digits"),
        ({"checksum": "crc:" + "0" * 64}, "checksum='crc:0+'; expected"),
        ({"checksum": "g" * 64}, "checksum='g+'; expected"),
    ],
)
def test_impossible_arguments_are_refused(wrong, message, tmp_path):
    with pytest.raises(ValueError, match=message):
        download(**{"urls": "http://127.0.0.1:1/a", "path": tmp_path / "a.bin", **wrong})


class Repository:
    """Stands for the archive behind a DOI."""

    def __init__(self, url):
        self.url = url

    def download_url(self, name):
        return f"{self.url}/{name}"


def test_a_doi_leads_to_its_file(server, tmp_path, monkeypatch):
    asked = []

    def repository(doi):
        asked.append(doi)
        return Repository(server.url)

    monkeypatch.setattr("pooch.downloaders.doi_to_repository", repository)
    path = quick("doi:10.5281/zenodo.1234/a.bin", tmp_path / "a.bin")
    assert path.read_bytes() == server.content
    assert asked == ["10.5281/zenodo.1234"]


def test_a_doi_that_leads_nowhere_is_a_failure_like_others(server, tmp_path, monkeypatch):
    def repository(doi):
        raise ValueError("Archive with doi:10.5281/zenodo.1234 not found")

    monkeypatch.setattr("pooch.downloaders.doi_to_repository", repository)
    assert quick(["doi:10.5281/zenodo.1234/a.bin", server.url], tmp_path / "a.bin").exists()


def test_without_pooch_a_doi_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pooch.downloaders", None)
    with pytest.raises(ImportError, match=r"pip install 'tagweave\[data\]'"):
        quick("doi:10.5281/zenodo.1234/a.bin", tmp_path / "a.bin")


class Terminal:
    """Takes what is drawn, and says that it is a terminal."""

    def __init__(self):
        self.drawn = ""

    def write(self, text):
        self.drawn += text

    def flush(self):
        pass

    def isatty(self):
        return True


def test_the_bar_shows_files_and_bytes(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    with DownloadBar(file=terminal) as bar:
        for done in (10, 50):
            bar(DownloadProgress("a.zip", "http://127.0.0.1/a.zip", done, 100, 0.1))
    assert "a.zip" in terminal.drawn
    assert "50/100 bytes" in terminal.drawn


def test_without_rich_the_bar_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "rich.console", None)
    with pytest.raises(ImportError, match=r"pip install 'tagweave\[progress\]'"):
        DownloadBar()
