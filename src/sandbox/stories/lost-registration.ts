// The answer to the registration of a card is lost: the key exists at the service, and the merchant does not know. The member
// must not have to register the card again.

import { countIssuances, postCardForm } from './member-form';
import { orderIs, registerOrder } from './order-steps';
import { must, toMerchant, toSandbox, until, type Story } from './story';

const ISSUANCE = 'POST /subscribe/customers/:customer_uid';
const CARD = '54096421';
/** The merchant asks for the key after five seconds for the first time. */
const ENOUGH_SECONDS = 60;

export const lostRegistration: Story = {
  name: 'lost-registration',
  needs: 'card-form',
  steps: [
    {
      name: 'fault',
      async run(stage) {
        stage.facts['before'] = String(await countIssuances(stage));
        const fault = { endpoint: ISSUANCE, kind: 'lost_response', times: 1 };
        await must(stage, toSandbox('POST', '/faults', fault));
      },
    },
    {
      name: 'card',
      async run(stage) {
        const { status, customerUid } = await postCardForm(stage, '/cards/new', '/cards', CARD);
        stage.facts['customer_uid'] = customerUid;
        stage.facts['form'] = String(status);
      },
    },
    registerOrder('lost-card'),
    {
      name: 'charge',
      async run(stage) {
        const card = { customer_uid: stage.facts['customer_uid'] };
        const charge = toMerchant('POST', `/api/orders/${stage.facts['order']}/charge`, card);
        await until(stage, async () => (await stage.ask(charge)).status < 300, ENOUGH_SECONDS);
      },
    },
  ],
  async ending(stage) {
    const calls = (await countIssuances(stage)) - Number(stage.facts['before']);
    return [
      { name: 'form', expected: '202', came: stage.facts['form'] ?? '' },
      ...(await orderIs(stage, { status: 'paid', payments: 1 })),
      { name: 'calls', expected: '1', came: String(calls) },
    ];
  },
};
