// A member replaces a card that has a scheduled payment. The schedule is paid with the new card and stays as it is (§1).

import { postCardForm } from './member-form';
import { AMOUNT, orderIs } from './order-steps';
import { valueIn } from './scene';
import { must, newOrder, toMerchant, toSandbox, type Stage, type Story } from './story';

const OLD_CARD = '54091357';
const NEW_CARD = '43215678';
const DELAY_SECONDS = 600;

export const replacedCard: Story = {
  name: 'replaced-card',
  needs: 'card-form',
  steps: [
    {
      name: 'card',
      async run(stage) {
        const { customerUid } = await post(stage, '/cards/new', '/cards', OLD_CARD);
        stage.facts['customer_uid'] = customerUid;
        stage.facts['old'] = await cardOf(stage);
      },
    },
    {
      name: 'plan',
      async run(stage) {
        stage.facts['order'] = newOrder('plan');
        const { body } = await stage.ask(toSandbox('GET', '/clock'));
        const schedule = {
          customer_uid: stage.facts['customer_uid'],
          merchant_uid: stage.facts['order'],
          name: 'Tea of the month',
          amount: AMOUNT,
          schedule_at: Number(valueIn(body, 'now')) + DELAY_SECONDS,
        };
        await must(stage, toMerchant('POST', '/api/schedules', schedule));
      },
    },
    {
      name: 'replace',
      async run(stage) {
        const path = `/cards/${stage.facts['customer_uid']}/replace`;
        await post(stage, path, path, NEW_CARD);
        stage.facts['new'] = await cardOf(stage);
      },
    },
    {
      name: 'time',
      async run(stage) {
        await must(stage, toSandbox('POST', '/clock', { advance_seconds: DELAY_SECONDS }));
        await stage.ask(toSandbox('GET', '/notifications?settled=1'));
      },
    },
  ],
  async ending(stage) {
    const order = await orderIs(stage, { status: 'paid', payments: 1 });
    const { body } = await stage.ask(toMerchant('GET', `/api/orders/${stage.facts['order']}`));
    const { old: before, new: after = '' } = stage.facts;
    return [
      ...order,
      { name: 'card', expected: after, came: cardIn(body) },
      { name: 'changed', expected: 'true', came: String(after !== '' && after !== before) },
    ];
  },
};

async function post(stage: Stage, path: string, action: string, card: string) {
  const posted = await postCardForm(stage, path, action, card);
  if (posted.status !== 303) throw new Error(`POST ${action}: ${posted.status}`);
  return posted;
}

/** The masked card that the service has stored for the member. */
async function cardOf(stage: Stage): Promise<string> {
  const uid = encodeURIComponent(stage.facts['customer_uid'] ?? '');
  const { body } = await must(stage, toMerchant('GET', `/api/billing-keys?customer_uid[]=${uid}`));
  return /"card_number":"([^"]{1,40})"/.exec(JSON.stringify(body))?.[1] ?? '';
}

const cardIn = (body: unknown): string =>
  /"card_number":"([^"]{1,40})"/.exec(JSON.stringify((body as { payments?: unknown }).payments ?? ''))?.[1] ??
  '';
