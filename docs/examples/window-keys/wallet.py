"""A page that opens the payment window for a billing key, with the standard library alone: docs/03-guides/14-window-keys.md."""

import html
import json
import urllib.parse
import urllib.request


def request_key(merchant, api_key, member_id, wish):
    """What the window takes. `wish` is such as {"pg": "kakaopay", "return_url": "/checkout?plan=tea"}."""
    path = f"/api/members/{urllib.parse.quote(member_id, safe='')}/billing-key-requests"
    request = urllib.request.Request(
        merchant + path,
        method="POST",
        data=json.dumps(wish).encode(),
        headers={"Authorization": f"Bearer {api_key}", "Content-Type": "application/json"},
    )
    # A refusal raises urllib.error.HTTPError, whose body has the code.
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)["window"]


def wallet_button(window, service, account, script, text):
    """`service`, `account` and `script` are those of your account. pay-in-window.js is the file that you copy."""
    fields = {"service": service, "account": account, "payment": json.dumps(window)}
    data = " ".join(f'data-{name}="{html.escape(value)}"' for name, value in fields.items())
    return f"""<a id="pay" href="#" {data}>{html.escape(text)}</a>
<p id="problem" role="alert"></p>
<script src="{html.escape(script)}" defer></script>
<script src="/pay-in-window.js" defer></script>"""
