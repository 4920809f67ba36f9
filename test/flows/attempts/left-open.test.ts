// What was sent with a card and left open is resolved by its row, also in a program that takes no card numbers any more.

import { toCustomData } from '../../../src/merchant/core/charges/charge-id';
import { startCharge } from '../../../src/merchant/core/charges/start-charges';
import { CARD_INPUT } from '../../support/cards';
import { beginIssuance, issuancesOf, keyOf, sendIssuance } from '../../support/keys';
import { chargesOf, orderStatus, registerOrder } from '../../support/orders';
import { useWorld } from '../../support/use-world';

const world = useWorld();

/** Each time is long enough for the next poll. */
async function passEveryPoll(): Promise<void> {
  for (const minutes of [2, 2, 2, 6, 16]) await world.runEveryMinute(minutes * 60);
}

test('a registration whose process ended is issued if the service has the key, and declined if not', async () => {
  const [sent, unsent] = [await beginIssuance(world, {}), await beginIssuance(world, {})];
  await sendIssuance(world, sent);
  await passEveryPoll();
  expect(await issuancesOf(world, sent.customerUid)).toMatchObject([{ status: 'issued' }]);
  expect(await issuancesOf(world, unsent.customerUid)).toMatchObject([{ status: 'declined' }]);
  expect(await keyOf(world, unsent.customerUid)).toMatchObject({ status: 'failed' });
  const { body } = await world.api('GET', `/api/members/${sent.memberId}/cards`);
  expect(body).toMatchObject([{ customer_uid: sent.customerUid, chargeable: true }]);
});

test('a key-in payment whose process ended pays for its order if the service has it, and frees the order if not', async () => {
  const context = world.context();
  const begin = async () => {
    const merchantUid = await registerOrder(world);
    const wanted = { merchantUid, kind: 'onetime', customerUid: null, scheduleAt: null } as const;
    const started = await startCharge(context, wanted);
    if (!('charge' in started)) throw new Error(started.kind);
    return started.charge;
  };
  const [sent, unsent] = [await begin(), await begin()];
  await world.withoutNotifications(() =>
    context.service.payOnetime({
      merchantUid: sent.merchantUid,
      amount: 1000,
      name: 'Tea',
      card: CARD_INPUT,
      customData: toCustomData(sent.id),
    }),
  );
  await passEveryPoll();
  expect(await chargesOf(world, sent.merchantUid)).toMatchObject([{ kind: 'onetime', status: 'paid' }]);
  expect(await orderStatus(world, sent.merchantUid)).toBe('paid');
  expect(await chargesOf(world, unsent.merchantUid)).toMatchObject([{ status: 'not_executed' }]);
  expect(await orderStatus(world, unsent.merchantUid)).toBe('open');
});
