"""A web server on the loopback that does what servers do: stall, cut off, lie, ignore, fail, and sometimes serve."""

from __future__ import annotations

import re
import threading
import time
from collections import deque
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# Nothing here waits longer, whatever a test forgets.
LONGEST_STALL = 10


class Server:
    """Serves one content under any path; `script` says how the next requests are answered, "serve" if empty.

    serve: all of it, or the range asked for; ignore: all of it whatever was asked; cut: half of what was asked,
    then the end; stall: half of it, then silence; slow: in small bits; vanish: no answer at all; lie: other bytes
    of the same length; html: a web page; encode: says it is gzip; misplace: another range than the one asked for;
    unplaced: a range without saying which; unsized: without saying how long it is; overlong: more than that, too;
    chunk: in chunks, cut off in the second; and any number: that status.
    """

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.etag: str | None = '"v1"'
        self.modified: str | None = None
        self.script: deque[str | int] = deque()
        self.requests: list[dict[str, str]] = []
        self.release = threading.Event()
        self.bit = 4096
        self.nap = 0.01
        self.url = ""

    @property
    def ranges(self) -> list[str | None]:
        return [request.get("Range") for request in self.requests]

    @contextmanager
    def running(self):
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                server.requests.append(dict(self.headers))
                server.answer(self, server.script.popleft() if server.script else "serve")

            def log_message(self, *_):
                pass

        httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        httpd.daemon_threads = True
        self.url = f"http://127.0.0.1:{httpd.server_address[1]}"
        thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self.release.set()
            httpd.shutdown()
            httpd.server_close()
            thread.join(LONGEST_STALL)

    def answer(self, handler, how):
        if how == "vanish":
            handler.close_connection = True
            return
        if isinstance(how, int):
            handler.send_error(how)
            return
        content = bytes(byte ^ 1 for byte in self.content) if how == "lie" else self.content
        first, status = 0, 200
        asked = re.fullmatch(r"bytes=(\d+)-", handler.headers.get("Range", ""))
        condition = handler.headers.get("If-Range")
        if asked and how not in ("ignore", "lie") and condition in (None, self.etag, self.modified):
            first, status = int(asked[1]), 206
            if first >= len(content):
                handler.send_response(416)
                handler.send_header("Content-Range", f"bytes */{len(content)}")
                handler.send_header("Content-Length", "0")
                handler.end_headers()
                return
        if how == "misplace":
            first += 1
        body = content[first:]
        handler.send_response(status)
        if how == "chunk":
            handler.send_header("Transfer-Encoding", "chunked")
        elif how not in ("unsized", "overlong"):
            handler.send_header("Content-Length", str(len(body)))
        if status == 206 and how != "unplaced":
            handler.send_header("Content-Range", f"bytes {first}-{len(content) - 1}/{len(content)}")
        if self.etag:
            handler.send_header("ETag", self.etag)
        if self.modified:
            handler.send_header("Last-Modified", self.modified)
        handler.send_header("Content-Type", "text/html" if how == "html" else "application/octet-stream")
        if how == "encode":
            handler.send_header("Content-Encoding", "gzip")
        handler.send_header("Connection", "close")
        handler.close_connection = True
        handler.end_headers()
        try:
            if how == "overlong":
                handler.wfile.write(body + bytes(500_000))
            elif how == "chunk":
                handler.wfile.write(b"2710\r\n" + body[:10_000] + b"\r\n2710\r\n" + body[10_000:15_000])
            elif how in ("cut", "stall"):
                handler.wfile.write(body[: len(body) // 2])
                handler.wfile.flush()
                if how == "stall":
                    self.release.wait(LONGEST_STALL)
            elif how == "slow":
                for start in range(0, len(body), self.bit):
                    handler.wfile.write(body[start : start + self.bit])
                    handler.wfile.flush()
                    time.sleep(self.nap)
            else:
                handler.wfile.write(body)
        except ConnectionError:
            pass  # the client has gone, as it may
