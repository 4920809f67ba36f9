// A record proves an issuance only if it is for the card that was sent and, for a replacement, newer than the previous record.

import {
  judgeIssuance,
  type IssuanceVerdict,
} from '../../../../src/merchant/core/billing-keys/judge-issuance';

const at = (second: number) => new Date(second * 1000);
const FIRST = { replacesKey: false, cardLastFour: '9012', knownUpdatedAt: null };
const REPLACEMENT = { replacesKey: true, cardLastFour: '9012', knownUpdatedAt: at(100) };
const NEVER_SEEN = { ...REPLACEMENT, knownUpdatedAt: null };

const OURS = '5409-13**-****-9012';
const OTHER = '4242-42**-****-4242';
const seen = (cardNumber: string | null, second: number | null) => ({
  cardNumber,
  updatedAt: second === null ? null : at(second),
});

type Case = [
  name: string,
  sent: typeof FIRST | typeof REPLACEMENT,
  record: ReturnType<typeof seen> | null,
  answeredIssued: boolean,
  verdict: IssuanceVerdict,
];
test.each<Case>([
  ['no record although confirmed', FIRST, null, true, 'missing'],
  ['our card', FIRST, seen(OURS, 1), false, 'issued'],
  ['other digits (H14)', FIRST, seen(OTHER, 1), false, 'other_card'],
  ['a record without a number', FIRST, seen(null, 1), false, 'issued'],
  ['a last digit that is masked', FIRST, seen('540913******901*', 1), false, 'issued'],
  ['a masked last digit beside another one', FIRST, seen('540913******902*', 1), false, 'other_card'],
  ['a newer record with our card', REPLACEMENT, seen(OURS, 101), false, 'issued'],
  ['a newer record with another card', REPLACEMENT, seen(OTHER, 101), false, 'other_card'],
  ['the record from before, of a card with the same digits', REPLACEMENT, seen(OURS, 100), false, 'missing'],
  ['the same second and our card, confirmed', REPLACEMENT, seen(OURS, 100), true, 'issued'],
  ['the record from before, although confirmed', REPLACEMENT, seen(OTHER, 100), true, 'missing'],
  ['a record without a time', REPLACEMENT, seen(OURS, null), false, 'missing'],
  ['our card under a key that was never seen', NEVER_SEEN, seen(OURS, 50), false, 'issued'],
  ['another card under a key that was never seen', NEVER_SEEN, seen(OTHER, 50), false, 'missing'],
])('%s', (_name, sent, record, answeredIssued, verdict) =>
  expect(judgeIssuance(sent, record, answeredIssued)).toBe(verdict),
);
