// Cards that are typed in a story: the form of a member, and key-in payments.

import { payOnetime } from '../../../../src/merchant/options/card-form/pay-onetime';
import { registerCard } from '../../../../src/merchant/options/card-form/register-card';
import {
  CARD_INPUT,
  CARD_THAT_FAILS,
  CARD_WITH_LOST_ANSWER,
  DECLINED_CARD,
} from '../../../../test/support/cards';
import { MEMBERS, requestFor, watched } from '../actions';
import { begin } from '../run-steps';
import { anyProcess, type StoryOrder, type Tale } from '../tale';

const CARDS = [
  [7, CARD_INPUT.cardNumber],
  [1, CARD_WITH_LOST_ANSWER],
  [1, DECLINED_CARD],
  [1, CARD_THAT_FAILS],
] as const;

export function register(tale: Tale): void {
  const { random, keys, confirmedKeys, stage } = tale;
  const memberId = random.pick(MEMBERS);
  const known = [...keys].filter((key) => key.startsWith(memberId));
  const replacesKey = known.length > 0 && random.chance(0.3);
  const customerUid = replacesKey ? random.pick(known) : `${memberId}-key-${keys.size + 1}`;
  const request = requestFor(tale, customerUid, random.weighted(CARDS));
  const target = anyProcess(tale);
  begin(target, registerCard(target.context, { ...request, replacesKey }), ({ kind }) => {
    stage.tally.add(`registration: ${kind}`);
    if (kind === 'registered') confirmedKeys.add(customerUid);
  });
}

/** A key-in payment whose billing key is not stored. */
export function payWithCard(tale: Tale): void {
  payWithCardFor(tale, tale.random.pick(tale.orders.filter(({ isRegistered }) => isRegistered)));
}

export function payWithCardFor(tale: Tale, { merchantUid, amount, memberId }: StoryOrder): void {
  const { random, stage } = tale;
  const target = anyProcess(tale);
  const order = { merchantUid, amount, memberId, name: 'Tea', currency: 'KRW' };
  const card = { ...CARD_INPUT, cardNumber: random.weighted(CARDS) };
  const charged = watched(tale, merchantUid, target, () =>
    payOnetime(target.context, { order, card, key: null }),
  );
  begin(target, charged, ({ kind }) => stage.tally.add(`onetime: ${kind}`));
}
