// Faults whose number is not in the title of their test: a description (empty if the title is enough) and the title.
// fault-rows.ts throws for a title that no test has.

export const UNNUMBERED_FAULTS: Readonly<Record<string, readonly [fault: string, title: string]>> = {
  C3: [
    'An id with an encoded slash, a backslash, `?`, `#`, `;`, or the path of another endpoint',
    '%s the id %j is malformed, and nothing is asked',
  ],
  C5: ['SQL text, `%` or `$1` as a merchant_uid', '%s the id %j is malformed, and nothing is asked'],
  C18: [
    'A notification from a genuine address about a payment of another merchant',
    'C17 an unknown payment is looked at five times more in ten minutes, then closed',
  ],
  C20: [
    '',
    'a failed attempt is stored when its notification is forged as paid, and the order can still be paid',
  ],
  C21: ['', 'a cancellation in part and then in full is followed'],
  C23: ['', 'a payment with the key of another member is kept, and does not pay for the order'],
  C25: ['', 'a virtual account waits for its deposit, and is paid with it'],
  D7: [
    'A notification arrives during a fetch',
    'copies that come while others with their key are under way go together afterwards, and nobody else waits for them',
  ],
  D8: [
    'A worker that was presumed dead writes its result',
    'D4 a fetch that began before the order changed is thrown away and repeated',
  ],
  D9: [
    'A notification with a known svc_uid and status must not be dropped',
    'a cancellation in part and then in full is followed',
  ],
  D10: ['', 'the same notification again changes nothing'],
  D11: ['', 'a host whose clock is off by %i hours misses nothing'],
  D12: [
    'A backlog of 100,000 notifications',
    'M35 three thousand notifications that waited are judged within a minute of the service’s return, the oldest first, and new ones within a second',
  ],
  E8: ['`expired_at` is shifted by nine hours', 'life of a token: %s'],
  E9: ['`now` or `expired_at` is missing, a text or negative', 'life of a token: %s'],
  E12: ['5xx', 'a fetch ends ${kind}'],
  E16: ['200 with HTML, broken JSON, nothing, or 204', 'a fetch ends ${kind}'],
  E20: ['HTTP 200 with a code other than 0 on a fetch', 'a fetch ends ${kind}'],
  E25: ['`HTTP_PROXY` or a similar variable is set on the host', 'is ignored'],
  E26: [
    'Lists: 400 past the last page, pages that shift while they are read, a plain array or the paged form',
    'payments that leave their list while it is read keep none of the others from being seen',
  ],
  F1: [
    'The database is down when a notification arrives',
    'a notification that cannot be noted is 503 with Retry-After, within three seconds, and the next one counts',
  ],
  F8: [
    'The database restarts, or ends idle sessions',
    'a notification that cannot be noted is 503 with Retry-After, within three seconds, and the next one counts',
  ],
  F10: [
    'Two processes insert the same row at once',
    'a hundred copies of one notification, over both at once, are one payment and one step of its order',
  ],
  F13: ['A 64-bit number in a JSON answer', 'F12 an amount above 2^31 is stored as it is'],
  F14: ['', 'a migration that this code needs and that is %s keeps traffic away (F14)'],
  G5: [
    'between the write of the payment and that of the notification’s outcome',
    'F3 whichever answer of the database is lost, there is one payment and one step of its order in the end',
  ],
  G7: [
    'after the service has issued the key, before it is active here',
    'H11: the database gone after the issuance is cleared up from the row that was there before',
  ],
  G8: ['after the key is active, before the answer', 'H2: the back button and a second submit issue nothing'],
  L1: [
    'A secret is missing, blank or an example value in production',
    'in production brings nothing along: the merchant reports what is missing',
  ],
  L2: [
    'A service URL in production that is plain HTTP, loopback, private or holds credentials',
    'in production %s=%s is refused, without its value where that is a secret',
  ],
  L3: ['Sandbox mode in production', 'refuse %j'],
  L4: [
    '`TRUSTED_PROXIES` as a count, `true`, everybody or a bad range; an empty list of sources',
    'A15 TRUSTED_PROXIES=%s is refused at the start',
  ],
  L5: ['The sandbox on another address than loopback', 'refuse %j'],
  L6: ['', 'is the same sequence for the same seed'],
  L8: ['', 'every %s in the lock is at least %j'],
  M24: ['', 'a body %s is refused'],
  M28: ['', 'no statement reads a large table as a whole: %s'],
  M31: ['', 'a card without schedules is removed, and the list was asked from the past to years ahead'],
  M38: ['', 'where the service refuses our credentials, the answer is a 502, and the log has the reason'],
  N1: ['', 'a test payment that shows no channel is looked up in the legacy generation, and does not pay'],
  N3: ['', 'K2: a network whose cards are declined waits, for so long as its page says, and others do not'],
  N4: ['', 'K4: a key-in payment counts one card with the tries of the card form: five a day, then 429'],
  N5: ['', 'the member’s own card pays, and a deposit that comes later is a second payment'],
  N6: [
    '',
    'each part given back is one event with its amount, the total and its refund; one of the console names no refund',
  ],
  N7: [
    '',
    'after a restore the shop hears of everything that has happened since: nothing that is new comes under a place or an id that it has seen',
  ],
  N8: [
    'The mail handler of the guide in the image',
    'what the copied file imports is installed in the image, with the row that the guide gives it',
  ],
  N9: ['', 'a paid order sends one mail to its buyer, and one without an address sends none'],
  N10: [
    'The example sign-in without its address, in production',
    'all set: what is left are the first steps with the live account, and what is by hand',
  ],
  N11: ['', 'a name, a note or a reason with %s in it is refused'],
  N12: ['`1.000`, `1,0` or `1e3` as an operator’s amount', 'the amount %j is none'],
  N14: ['', 'B18 %s is refused by the parser'],
};
