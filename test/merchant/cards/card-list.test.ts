// The list of cards shows the state of each key, and only masked numbers.

import type { ListedCard } from '../../../src/merchant/billing-keys/billing-key-store';
import { toCardList } from '../../../src/merchant/cards/card-list';

const NOW = new Date('2026-11-21T00:00:00Z');
const secondsAgo = (seconds: number) => new Date(NOW.getTime() - seconds * 1000);

function card(
  changes: Partial<ListedCard> = {},
  latest: Partial<ListedCard['issuances'][number]> = {},
): ListedCard {
  return {
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
    createdAt: NOW,
    updatedAt: NOW,
    issuances: [{ status: 'issued', resolvedAt: secondsAgo(3600), cardLastFour: '9012', ...latest } as never],
    ...changes,
  };
}
const listed = (...cards: ListedCard[]) => toCardList(cards, NOW);

test('an active card shows its company and its masked number', () => {
  expect(listed(card())).toEqual([
    {
      customerUid: 'card_1',
      company: 'BC카드',
      number: '5409-13**-****-9012',
      state: 'active',
      isChargeable: true,
      createdAt: NOW,
      news: null,
      isTwice: false,
    },
  ]);
});

test('a card that is still being checked shows the last four digits that were sent', () => {
  const pending = card({ status: 'pending', cardNumber: null, cardName: null }, { status: 'unknown' });
  expect(listed(pending)).toMatchObject([{ state: 'pending', company: null, number: '****-****-****-9012' }]);
});

test('a replacement on its way leaves the old card shown', () => {
  const replacing = card({}, { status: 'pending', cardLastFour: '4242' });
  expect(listed(replacing)).toMatchObject([{ state: 'replacing', number: '5409-13**-****-9012' }]);
});

test('a declined replacement leaves the card usable', () => {
  expect(listed(card({}, { status: 'declined' }))).toMatchObject([{ state: 'active', news: null }]);
});

test('a card is new for a minute', () => {
  expect(listed(card({}, { resolvedAt: secondsAgo(59) }))).toMatchObject([{ news: 'registered' }]);
  expect(listed(card({}, { resolvedAt: secondsAgo(60) }))).toMatchObject([{ news: null }]);
});

test('a card that replaced another is said to have done so', () => {
  const replaced = card({}, { resolvedAt: secondsAgo(1), replacesKey: true });
  expect(listed(replaced, card())).toMatchObject([{ news: 'replaced' }, { news: null }]);
});

test('the same card under two customer_uids is flagged, another company with the same digits is not (H25)', () => {
  const again = card({ customerUid: 'card_2' });
  const elsewhere = card({ customerUid: 'card_3', cardName: 'KB국민카드' });
  expect(listed(card(), again, elsewhere).map(({ isTwice }) => isTwice)).toEqual([true, true, false]);
});

test('a card that is being removed is no new one, and no second one: nobody is asked to remove the other', () => {
  const removing = card(
    { customerUid: 'card_2', status: 'removing', removingSince: NOW },
    { resolvedAt: secondsAgo(1) },
  );
  expect(listed(card(), removing)).toMatchObject([
    { state: 'active', isTwice: false },
    { state: 'removing', isTwice: false, news: null },
  ]);
});
