"""Whether an event of docs/03-guides/4-order-events.md is real: Standard Webhooks, version 1."""

import base64
import hashlib
import hmac
import time


def verify_event(secret, headers, body):
    """`secret` is ORDER_EVENTS_SECRET, `body` the bytes as they came: JSON that was parsed and written again differs."""
    event_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    # An older one may have been recorded and sent again.
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 5 * 60:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{event_id}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    # While the secret is changed there are several, with a space between them.
    given = headers.get("webhook-signature", "").encode().split(b" ")
    return any([hmac.compare_digest(each, expected) for each in given])
