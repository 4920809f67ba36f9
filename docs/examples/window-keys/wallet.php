<?php
// A page that opens the payment window for a billing key: docs/03-guides/14-window-keys.md.

/** What the window takes. $wish is such as ['pg' => 'kakaopay', 'return_url' => '/checkout?plan=tea']. */
function request_key(string $merchant, string $apiKey, string $memberId, array $wish): array
{
    $path = '/api/members/' . rawurlencode($memberId) . '/billing-key-requests';
    $answer = file_get_contents($merchant . $path, false, stream_context_create(['http' => [
        'method' => 'POST',
        'header' => "Authorization: Bearer $apiKey\r\nContent-Type: application/json",
        'content' => json_encode($wish, JSON_THROW_ON_ERROR),
        'timeout' => 60,
        'ignore_errors' => true,
    ]]));
    $body = json_decode((string) $answer, true);
    if (!isset($body['window'])) {
        throw new RuntimeException('no billing key request: ' . ($body['error']['code'] ?? 'no answer'));
    }
    return $body['window'];
}

/** $service, $account and $script are those of your account. pay-in-window.js is the file that you copy. */
function wallet_button(array $window, string $service, string $account, string $script, string $text): string
{
    $fields = ['service' => $service, 'account' => $account, 'payment' => json_encode($window, JSON_THROW_ON_ERROR)];
    $data = '';
    foreach ($fields as $name => $value) {
        $data .= " data-$name=\"" . htmlspecialchars($value) . '"';
    }
    return '<a id="pay" href="#"' . $data . '>' . htmlspecialchars($text) . "</a>\n"
        . "<p id=\"problem\" role=\"alert\"></p>\n"
        . '<script src="' . htmlspecialchars($script) . "\" defer></script>\n"
        . '<script src="/pay-in-window.js" defer></script>';
}
