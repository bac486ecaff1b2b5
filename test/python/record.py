"""Records the requests of the Python client humiolib as recorded-requests.json.

pip install humiolib==0.2.6 && python test/python/record.py
"""

import json
import os
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

from humiolib.HumioClient import HumioClient, HumioIngestClient

REQUESTS = []
EVENTS = [{"timestamp": "2026-02-03T10:00:00+01:00", "attributes": {"level": "error"}}]
GROUPS = [{"tags": {"host": "web-7"}, "events": EVENTS}]
QUERY = {
    "start": "2h",
    "end": "now",
    "timezone_offset_minutes": 120,
    "arguments": {"level": "error"},
    "raw_data": {"noResultUntilDone": True},
}
DONE = {
    "done": True,
    "cancelled": False,
    "events": [],
    "metaData": {"pollAfter": 1, "isAggregate": False, "extraData": {"hasMoreEvents": "false"}},
}
USERS = [{"email": "ann@example.com", "userID": "u1"}]
GRAPHQL = {
    "organizations": [],
    "searchDomain": {"files": []},
    "repository": {"savedQueries": []},
}


class Service(BaseHTTPRequestHandler):
    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        kind = self.headers.get("Content-Type") or ""
        request = {"method": self.command, "path": self.path}
        for name in ("Authorization", "Accept"):
            request[name.lower()] = self.headers.get(name)
        if kind.startswith("multipart/form-data"):
            head, content = body.split("\r\n\r\n", 1)
            request["file"] = {"part": head.split("\r\n")[1], "content": content.rsplit("\r\n--", 1)[0]}
        elif body:
            request["body"] = json.loads(body)
        REQUESTS.append(request)
        if self.command == "DELETE" and "/queryjobs/" in self.path:
            return self.send(204, "")
        if self.command == "GET" and "/queryjobs/" in self.path:
            return self.send(200, DONE)
        if self.path.endswith("/queryjobs"):
            return self.send(200, {"id": "7-job"})
        if self.path.endswith("/users") and self.command == "GET":
            return self.send(200, USERS)
        self.send(200, {"data": GRAPHQL} if self.path == "/graphql" else {})

    do_GET = do_POST = do_DELETE = answer

    def send(self, status, body):
        text = body if body == "" else json.dumps(body)
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass


def calls(client, ingest, path):
    """Each call, by the name that recorded-requests.test.ts has for it."""
    live = {"is_live": True, "start": "1h"}
    return {
        "streaming_query": lambda: list(client.streaming_query("level=error")),
        "streaming_query with options": lambda: list(client.streaming_query("level=?level", **QUERY)),
        "streaming_query, live": lambda: list(client.streaming_query("level=error", **live)),
        "streaming_query with headers": lambda: list(client.streaming_query("*", headers={"Accept": "text/plain"})),
        "create_queryjob": lambda: client.create_queryjob("count()") and None,
        "create_queryjob with options": lambda: client.create_queryjob("count(?level)", **QUERY) and None,
        "create_queryjob, live, and its end": lambda: client.create_queryjob("count()", **live) and None,
        "create_queryjob, static": lambda: client.create_queryjob("count()", is_live=False, start=0, end=1) and None,
        "poll": lambda: client.create_queryjob("*").poll() and None,
        "poll_until_done": lambda: list(client.create_queryjob("*").poll_until_done()),
        "ingest_json_data": lambda: client.ingest_json_data(GROUPS),
        "ingest_json_data without events": lambda: client.ingest_json_data(),
        "ingest_messages": lambda: client.ingest_messages(["a", "b"]),
        "ingest_messages with options": lambda: client.ingest_messages(["a"], "kv", {"f": "1"}, {"t": "2"}),
        "ingest_messages without messages": lambda: client.ingest_messages(),
        "ingest client: ingest_json_data": lambda: ingest.ingest_json_data(GROUPS),
        "ingest client: ingest_json_data without events": lambda: ingest.ingest_json_data(),
        "ingest client: ingest_messages": lambda: ingest.ingest_messages(["a"]),
        "ingest client: ingest_messages with options": lambda: ingest.ingest_messages(
            ["a"], parser="kv", fields={"f": "1"}, tags={"t": "2"}
        ),
        "get_status": lambda: client.get_status(),
        "get_users": lambda: client.get_users(),
        "get_user_by_email": lambda: client.get_user_by_email("ann@example.com"),
        "create_user": lambda: client.create_user("ann@example.com"),
        "create_user, root": lambda: client.create_user("ann@example.com", isRoot=True),
        "delete_user_by_id": lambda: client.delete_user_by_id("u1"),
        "delete_user_by_email": lambda: client.delete_user_by_email("ann@example.com"),
        "delete_user_by_email, unknown": lambda: client.delete_user_by_email("bob@example.com"),
        "list_organizations": lambda: client.list_organizations(),
        "create_organization": lambda: client.create_organization("acme", "makes everything"),
        "upload_file": lambda: client.upload_file(path),
        "get_file": lambda: client.get_file("hosts.csv"),
        "get_file with an encoding": lambda: client.get_file("hosts.csv", encoding="utf-8"),
        "create_file": lambda: client.create_file("hosts.csv"),
        "list_files": lambda: client.list_files(),
        "get_file_content": lambda: client.get_file_content("hosts.csv"),
        "get_file_content with options": lambda: client.get_file_content("hosts.csv", 5, 10, "web"),
        "add_file_contents": lambda: client.add_file_contents("hosts.csv", ["host"], [["web-7"]]),
        "add_file_contents with options": lambda: client.add_file_contents(
            "hosts.csv", ["host", "b"], [["web-7", ""]], [{"changeKind": "Add", "index": 1}], 3, 1
        ),
        "remove_file_contents": lambda: client.remove_file_contents("hosts.csv"),
        "remove_file_contents with options": lambda: client.remove_file_contents("hosts.csv", 3, 1),
        "delete_file": lambda: client.delete_file("hosts.csv"),
        "create_saved_query": lambda: client.create_saved_query("errors", "level=error"),
        "list_saved_queries": lambda: client.list_saved_queries(),
        "update_saved_query": lambda: client.update_saved_query("q1", "fatal", "level=fatal"),
        "delete_saved_query": lambda: client.delete_saved_query("q1"),
    }


def main():
    server = HTTPServer(("127.0.0.1", 0), Service)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = "http://127.0.0.1:{}".format(server.server_port)
    client = HumioClient(base_url=url, repository="sandbox", user_token="user-token")
    ingest = HumioIngestClient(base_url=url, ingest_token="ingest-token")
    recorded = {}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "hosts.csv")
        with open(path, "w", newline="") as file:
            file.write("host,owner\nweb-7,ann\n")
        for name, call in calls(client, ingest, path).items():
            REQUESTS.clear()
            call()
            recorded[name] = list(REQUESTS)
    server.shutdown()
    source = sys.argv[1] if len(sys.argv) > 1 else "Recorded with record.py from the installed package."
    text = json.dumps({"source": source, "requests": recorded}, indent=2, ensure_ascii=False)
    with open(os.path.join(os.path.dirname(__file__), "recorded-requests.json"), "w") as file:
        file.write(text + "\n")


main()
