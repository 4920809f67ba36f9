<?php
// Whether an event of docs/03-guides/4-order-events.md is real: Standard Webhooks, version 1. $secret is
// ORDER_EVENTS_SECRET, $headers is array_change_key_case(getallheaders()), $body is file_get_contents('php://input').

function verify_event(string $secret, array $headers, string $body): bool
{
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    // An older one may have been recorded and sent again.
    if (!preg_match('/^\d{1,12}$/D', $timestamp) || abs(time() - (int) $timestamp) > 5 * 60) {
        return false;
    }
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    $isReal = false;
    // While the secret is changed there are several, with a space between them.
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $given) {
        $isReal = hash_equals($expected, $given) || $isReal;
    }
    return $isReal;
}
