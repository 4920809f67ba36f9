// The list of cards shows the state of each key, and only masked numbers.

import type { ListedCard } from '../../../../src/merchant/core/billing-keys/billing-key-store';
import { toCardList } from '../../../../src/merchant/core/cards/card-list';

const NOW = new Date('2026-11-21T00:00:00Z');
const secondsAgo = (seconds: number) => new Date(NOW.getTime() - seconds * 1000);

const card = (
  changes: Partial<ListedCard> = {},
  latest: Partial<ListedCard['issuances'][number]> = {},
): ListedCard => ({
  customerUid: 'card_1',
  memberId: 'member_1',
  status: 'active',
  cardNumber: '5409-13**-****-9012',
  cardName: 'BC카드',
  cardCode: '361',
  cardType: '0',
  pgProvider: 'nice',
  serviceUpdatedAt: 1n,
  removingSince: null,
  issuedBy: null,
  version: 1,
  createdAt: NOW,
  updatedAt: NOW,
  issuances: [{ status: 'issued', resolvedAt: secondsAgo(3600), cardLastFour: '9012', ...latest } as never],
  ...changes,
});
const removing = card({ customerUid: 'card_2', status: 'removing', removingSince: NOW });
const ACTIVE = {
  customerUid: 'card_1',
  company: 'BC카드',
  number: '5409-13**-****-9012',
  state: 'active',
  isChargeable: true,
  createdAt: NOW,
  news: null,
  isTwice: false,
};

test.each<[string, ListedCard, Partial<typeof ACTIVE> | object]>([
  ['an active card shows its company and its masked number', card(), {}],
  [
    'a card that is still being checked shows the last four digits that were sent',
    card({ status: 'pending', cardNumber: null, cardName: null }, { status: 'unknown' }),
    { state: 'pending', company: null, number: '****-****-****-9012', isChargeable: false },
  ],
  [
    'a replacement on its way leaves the old card shown',
    card({}, { status: 'pending' }),
    { state: 'replacing' },
  ],
  [
    'a card that a person has to judge cannot pay',
    card({ status: 'needs_review' }),
    { state: 'needs_review', isChargeable: false },
  ],
  ['a card is new for a minute', card({}, { resolvedAt: secondsAgo(59) }), { news: 'registered' }],
  [
    'a card that is being removed cannot pay',
    removing,
    { customerUid: 'card_2', state: 'removing', isChargeable: false },
  ],
])('%s', (_, shown, changes) => expect(toCardList([shown], NOW)).toEqual([{ ...ACTIVE, ...changes }]));

test('the same card under two customer_uids is flagged, another company with the same digits is not (H25)', () => {
  const again = card({ customerUid: 'card_2' });
  const elsewhere = card({ customerUid: 'card_3', cardName: 'KB국민카드' });
  const flags = (...cards: ListedCard[]) => toCardList(cards, NOW).map(({ isTwice }) => isTwice);
  expect(flags(card(), again, elsewhere)).toEqual([true, true, false]);
  // While a card is being removed, the list does not ask to remove its duplicate.
  expect(flags(card(), removing)).toEqual([false, false]);
});
