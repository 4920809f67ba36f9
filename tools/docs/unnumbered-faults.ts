// Faults whose number is not in the title of their test: a description (empty if the title is enough) and the title.
// fault-rows.ts throws for a title that no test has.

export const UNNUMBERED_FAULTS: Readonly<Record<string, readonly [fault: string, title: string]>> = {
  C3: [
    'An id with an encoded slash, a backslash, `?`, `#`, `;`, or the path of another endpoint',
    '%s the id %j is malformed, and no call is made',
  ],
  C5: ['SQL text, `%` or `$1` as a merchant_uid', '%s the id %j is malformed, and no call is made'],
  C18: [
    'A notification about a payment of another merchant',
    'C17 an unknown payment is fetched five more times in ten minutes, then closed',
  ],
  C20: ['', 'a failed payment is stored as failed although its notification says paid'],
  C21: ['', 'a partial and then a full cancellation are recorded'],
  C23: ['', 'a payment with another member’s key is stored and does not pay for the order'],
  C25: ['', 'a virtual account waits for its deposit and is then paid'],
  D7: [
    'A notification arrives during a fetch',
    'items that arrive while their key is processed are processed together afterwards, and other keys do not wait',
  ],
  D8: [
    'A slow worker writes its result',
    'D4 a fetch that began before the order changed is discarded and repeated',
  ],
  D9: [
    'A notification with a known svc_uid and status',
    'a partial and then a full cancellation are recorded',
  ],
  D10: ['', 'a repeated notification changes nothing'],
  D11: ['', 'reconciliation misses nothing when the host’s clock is off by %i hours'],
  D12: [
    'A backlog',
    'M35 three thousand waiting notifications are checked within a minute, oldest first, and new ones within a second',
  ],
  E8: ['`expired_at` is shifted by nine hours', 'lifetime of a token: %s'],
  E9: ['`now` or `expired_at` is missing, a text or negative', 'lifetime of a token: %s'],
  E12: ['5xx', 'a fetch ends as ${kind}'],
  E16: ['200 with HTML, broken JSON, nothing, or 204', 'a fetch ends as ${kind}'],
  E20: ['HTTP 200 with a code other than 0 on a fetch', 'a fetch ends as ${kind}'],
  E25: ['', 'a proxy variable of the host is ignored'],
  E26: [
    'Lists whose pages shift while they are read',
    'no payment is missed when others leave their list while it is read',
  ],
  F1: [
    'The database is down when a notification arrives',
    'a notification that cannot be stored gets a 503 with Retry-After within three seconds',
  ],
  F8: [
    'The database restarts, or ends idle sessions',
    'a notification that cannot be stored gets a 503 with Retry-After within three seconds',
  ],
  F10: [
    'Two processes insert the same row at once',
    'a hundred copies of a notification, sent to both processes, cause one payment and one change of its order',
  ],
  F13: ['A 64-bit number in a JSON answer', 'F12 an amount above 2^31 is stored unchanged'],
  F14: ['', 'the process is not ready when a migration that it needs is %s (F14)'],
  G5: [
    'killed between payment and outcome',
    'F3 one payment and one change of its order result whichever database answer is lost',
  ],
  G7: [
    'killed between the issuance and its result',
    'H11: an issuance after which the database failed is resolved from the row written before the call',
  ],
  G8: ['killed before the answer', 'H2: a second submit, also after the back button, issues nothing'],
  L1: [
    'A secret is missing, blank or an example value',
    'in production only the merchant starts and reports missing settings',
  ],
  L2: [
    'A service URL that is plain HTTP, loopback, private or has credentials',
    'in production %s=%s is refused without showing a secret',
  ],
  L3: ['Sandbox mode in production', 'the settings %j are refused'],
  L4: [
    '`TRUSTED_PROXIES` is a count, `true`, all addresses or a bad range',
    'A15 TRUSTED_PROXIES=%s is refused at startup',
  ],
  L5: ['The sandbox on another address than loopback', 'the settings %j are refused'],
  L6: ['', 'random faults are the same sequence for the same seed'],
  L8: ['', 'every %s in the lock file has at least version %j'],
  M24: ['', 'a body that is %s is refused'],
  M28: ['', 'no statement reads a whole large table: %s'],
  M31: ['', 'schedules from the past to years ahead are listed before a card is removed'],
  M38: ['', 'when the service refuses our credentials, the answer is a 502 and the log has the reason'],
  N1: ['', 'a test payment without a channel is fetched from the legacy generation and does not pay'],
  N3: ['', 'K2: a network with declined cards has to wait, and other networks do not'],
  N4: ['', 'K4: key-in payments and the card form count tries of a card together: five a day'],
  N5: ['', 'a charge of the member’s card pays the order, and a later deposit is a second payment'],
  N6: ['', 'each partial refund is one event with its amount and the total'],
  N7: ['', 'after a restore the shop gets every event since the backup, with new positions and ids'],
  N8: [
    'The mail handler of the guide',
    'the packages that the copied file imports are installed in the image',
  ],
  N9: ['', 'a paid order sends one mail to its buyer, and none without an address'],
  N10: ['The example sign-in', 'with every setting only the steps with the live account and by hand remain'],
  N11: ['', 'a name, note or reason with %s is refused'],
  N12: ['`1.000`, `1,0` or `1e3` as an operator’s amount', 'the amount %j is refused'],
  N14: ['', 'B18 a request with %s is refused by the HTTP parser'],
};
