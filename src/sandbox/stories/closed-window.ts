// The member closes the payment window after the billing key was issued, and no notification comes. The member must not have to
// register again.

import { valueIn } from './scene';
import { must, newOrder, toMerchant, toSandbox, until, type Stage, type Story } from './story';

export const closedWindow: Story = {
  name: 'closed-window',
  needs: 'window-keys',
  steps: [
    {
      name: 'request',
      async run(stage) {
        stage.facts['member'] = newOrder('member');
        const path = `/api/members/${stage.facts['member']}/billing-key-requests`;
        const { body } = await must(stage, toMerchant('POST', path, { pg: 'kakaopay' }));
        const { window = {} } = body as { window?: object };
        stage.facts['window'] = JSON.stringify(window);
        stage.facts['order'] = valueIn(body, 'merchant_uid');
        stage.facts['customer_uid'] = valueIn(body, 'customer_uid');
      },
    },
    {
      name: 'close',
      async run(stage) {
        const window = JSON.parse(stage.facts['window'] ?? '{}') as object;
        const issued = { amount: 0, merchant_uid: 'key', ...window, notify: false };
        const { body } = await must(stage, toSandbox('POST', '/payments', issued));
        stage.facts['svc_uid'] = valueIn(body, 'svc_uid');
      },
    },
    {
      name: 'unknown',
      async run(stage) {
        stage.facts['before'] = String((await cardsOf(stage)).length);
      },
    },
    {
      name: 'compare',
      async run(stage) {
        const { order: merchant_uid, svc_uid: svcUid } = stage.facts;
        if (stage.compareBooks) await stage.compareBooks();
        else await must(stage, toMerchant('POST', `/api/payments/${svcUid}/sync`, { merchant_uid }));
        await until(stage, async () => (await cardsOf(stage)).length > 0, 10);
      },
    },
  ],
  async ending(stage) {
    const { member, customer_uid: customerUid = '', before = '' } = stage.facts;
    const cards = await cardsOf(stage);
    const { body } = await must(stage, toMerchant('GET', `/api/events?customer_uid=${customerUid}`));
    const { list = [] } = body as { list?: { data?: { member_id?: unknown } }[] };
    const told = list.filter(({ data }) => data?.member_id === member).length;
    return [
      { name: 'before', expected: '0', came: before },
      { name: 'cards', expected: '1', came: String(cards.length) },
      { name: 'key', expected: 'true', came: String(valueIn(cards, 0, 'customer_uid') === customerUid) },
      { name: 'events', expected: '1', came: String(told) },
    ];
  },
};

async function cardsOf(stage: Stage): Promise<unknown[]> {
  const { body } = await stage.ask(toMerchant('GET', `/api/members/${stage.facts['member']}/cards`));
  return Array.isArray(body) ? (body as unknown[]) : [];
}
