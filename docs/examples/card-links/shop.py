"""A shop in Python, with nothing but its standard library, beside this server: docs/03-guides/11-another-language.md."""

import hashlib
import json
import os
import secrets
import sqlite3
import sys
import urllib.error
import urllib.parse
import urllib.request
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, HTTPServer

sys.path.append(os.path.join(os.path.dirname(__file__), "..", "another-language"))
from verify_event import verify_event  # noqa: E402

MERCHANT = os.environ["MERCHANT"]  # such as https://cards.example.com, or https://shop.example.com/pay
API_KEY = os.environ["API_KEY"]
EVENTS_SECRET = os.environ["ORDER_EVENTS_SECRET"]
SHOP = os.environ["SHOP_URL"]  # its origin is in RETURN_URLS

database = sqlite3.connect(os.environ.get("SHOP_DATABASE", ":memory:"))
database.executescript(
    """
    create table if not exists sessions (token_hash text primary key, member_id text not null);
    create table if not exists orders (id text primary key, member_id text not null, status text not null);
    create table if not exists events (id text primary key);
    """
)


def call_merchant(method, path, body=None):
    """The status and the JSON of an answer. A network error is raised: the outcome is then unknown."""
    request = urllib.request.Request(
        MERCHANT + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {API_KEY}", "Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def card_link(member_id, page, return_path):
    """A one-time address of the card form: redirect this member's browser to it."""
    path = f"/api/members/{urllib.parse.quote(member_id, safe='')}/card-link"
    status, link = call_merchant("POST", path, {"page": page, "return_url": SHOP + return_path})
    if status != 201:
        raise RuntimeError(f"no card link: {link}")
    return link["url"]


def buy(member_id, order_id, customer_uid):
    """Registers the order, then charges the card. 202 is no failure: the event tells how it ended."""
    order = {"merchant_uid": order_id, "name": "Green tea", "amount": 12000, "member_id": member_id}
    status, answer = call_merchant("POST", "/api/orders", order)
    if status in (200, 201):
        with database:
            database.execute("insert or ignore into orders values (?, ?, 'open')", (order_id, member_id))
        charge = {"customer_uid": customer_uid}
        status, answer = call_merchant("POST", f"/api/orders/{order_id}/charge", charge)
    return status, answer


def on_event(event_id, event):
    """The same event can come again: its id is written in the transaction of the work."""
    if not event["type"].startswith("order."):
        return
    with database:
        is_new = database.execute("insert or ignore into events values (?)", (event_id,)).rowcount == 1
        if is_new:
            data = event["data"]
            database.execute("update orders set status = ? where id = ?", (data["status"], data["merchant_uid"]))


class Shop(BaseHTTPRequestHandler):
    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        if url.path == "/sign-in":  # Stands for the sign-in that your shop has.
            token = secrets.token_urlsafe(32)
            with database:
                database.execute("insert into sessions values (?, ?)", (sha256(token), query["member"]))
            return self.answer(204, cookie=f"session={token}; Path=/; HttpOnly; SameSite=Lax")
        member_id = self.member()
        if member_id is None:
            return self.answer(403, {"error": "sign in first"})
        if url.path == "/cards/add":
            return self.answer(303, location=card_link(member_id, "register", "/checkout"))
        if url.path == "/cards":
            return self.answer(303, location=card_link(member_id, "cards", "/checkout"))
        if url.path == "/checkout":
            quoted = urllib.parse.quote(member_id, safe="")
            return self.answer(*call_merchant("GET", f"/api/members/{quoted}/cards"))
        if url.path == "/orders":
            rows = database.execute("select id, status from orders where member_id = ?", (member_id,))
            return self.answer(200, dict(rows.fetchall()))
        return self.answer(404, {"error": "no such page"})

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path == "/hooks/orders":
            if not verify_event(EVENTS_SECRET, self.headers, body):
                return self.answer(401, {"error": "wrong signature"})
            on_event(self.headers["webhook-id"], json.loads(body))
            return self.answer(204)
        member_id = self.member()
        if self.path == "/buy" and member_id is not None:
            form = dict(urllib.parse.parse_qsl(body.decode()))
            return self.answer(*buy(member_id, form["order"], form["card"]))
        return self.answer(404, {"error": "no such page"})

    def member(self):
        """The member of the shop's own session; None if nobody is signed in."""
        session = SimpleCookie(self.headers.get("Cookie")).get("session")
        token_hash = sha256(session.value if session else "")
        row = database.execute("select member_id from sessions where token_hash = ?", (token_hash,)).fetchone()
        return row and row[0]

    def answer(self, status, body=None, location=None, cookie=None):
        text = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        for name, value in (("Location", location), ("Set-Cookie", cookie)):
            if value is not None:
                self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        """No access log: an address may hold what belongs to a member."""


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


if __name__ == "__main__":
    server = HTTPServer(("127.0.0.1", urllib.parse.urlsplit(SHOP).port), Shop)
    print(f"The shop listens at {SHOP}", file=sys.stderr)
    server.serve_forever()
