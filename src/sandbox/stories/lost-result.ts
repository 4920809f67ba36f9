// The answer to a call that takes money is lost, so the merchant does not know whether the card was charged. It must not
// charge again.

import { AMOUNT, orderIs, orderStatus } from './order-steps';
import { valueIn } from './scene';
import { must, newOrder, toMerchant, toSandbox, until, type Stage, type Story } from './story';

const KEY_IN = 'POST /subscribe/payments/onetime';
/** The merchant polls for the first time after five seconds. */
const ENOUGH_SECONDS = 60;

export const lostResult: Story = {
  name: 'lost-result',
  needs: 'card-form',
  steps: [
    {
      name: 'fault',
      async run(stage) {
        stage.facts['before'] = await countCalls(stage);
        await must(
          stage,
          toSandbox('POST', '/faults', { endpoint: KEY_IN, kind: 'lost_response', times: 1 }),
        );
      },
    },
    {
      name: 'charge',
      async run(stage) {
        stage.facts['order'] = newOrder('lost');
        const card = {
          card_number: '4242-4242-4242-4242',
          expiry: '2037-12',
          birth: '880101',
          pwd_2digit: '12',
        };
        const order = { merchant_uid: stage.facts['order'], name: 'Tea', amount: AMOUNT };
        const { status, body } = await must(stage, toMerchant('POST', '/api/onetime', { ...order, ...card }));
        stage.facts['told'] = `${status} ${valueIn(body, 'outcome')}`;
      },
    },
    {
      name: 'find-out',
      async run(stage) {
        await until(stage, async () => (await orderStatus(stage)) === 'paid', ENOUGH_SECONDS);
      },
    },
  ],
  async ending(stage) {
    const calls = Number(await countCalls(stage)) - Number(stage.facts['before']);
    return [
      ...(await orderIs(stage, { status: 'paid', payments: 1 })),
      { name: 'calls', expected: '1', came: String(calls) },
    ];
  },
};

async function countCalls(stage: Stage): Promise<string> {
  const { body } = await stage.ask(
    toSandbox('GET', `/requests/count?endpoint=${encodeURIComponent(KEY_IN)}`),
  );
  return valueIn(body, 'count');
}
