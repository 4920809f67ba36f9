// A plan that needs a person is an item of the action queue, and counted, until the case is over.

import { signedIn } from '../../support/browsers';
import { registerKey } from '../../support/keys';
import {
  getSubscription,
  HOUR,
  inSeconds,
  pass,
  SCHEDULE,
  subscribe,
  useKey,
  withPlans,
} from '../../support/subscriptions';
import { useWorld } from '../../support/use-world';

const world = useWorld();
const key = useKey(world);

/** Signs in each time, because a sign-in ends before the time of most payments. */
async function open(path: string): Promise<string> {
  const { status, html } = await (await signedIn(world, { by: 'kim' })).get(`/operator${path}`);
  expect([path, status]).toEqual([path, 200]);
  return html;
}

const MESSAGE = '예약할 수 없는 카드입니다.';

/** One whose payment in 20 hours the service refuses to schedule. */
async function subscribeRefused(): Promise<string> {
  const body = { code: 1, message: MESSAGE, response: null };
  await world.sandbox.fault({ endpoint: SCHEDULE, kind: 'status', status: 200, body, times: 100 });
  return subscribe(world, key, { first_payment_at: inSeconds(world, 20 * HOUR), amount: 9900 });
}

/** The plans in the queue. */
const openPlans = async () =>
  [...(await open('/desk')).matchAll(/href="\/operator\/desk\/subscriptions\/([^"?]*)/g)].map(
    ([, id = '']) => id,
  );

/** The texts of the items of these plans, by default of all in the queue. */
async function itemsIn(lang: string, plans?: readonly string[]): Promise<Record<string, string>> {
  const items: Record<string, string> = {};
  const kim = await signedIn(world, { by: 'kim' });
  for (const id of plans ?? (await openPlans())) {
    const { html } = await kim.get(`/operator/desk/subscriptions/${id}?lang=${lang}`);
    items[id] = /<article [^>]*aria-labelledby="subscriptions-[^>]*>([^]*?)<\/article>/.exec(html)?.[1] ?? '';
  }
  return items;
}

/** The number in the navigation, and that of the overview. */
async function counts() {
  const html = await open('?lang=en');
  const [, inPlaces = '0'] = /class="waiting">(\d+)</.exec(html) ?? [];
  const [, tile] = /Action queue(?:<\/a>)?<\/dt><dd>(\d+)</.exec(html) ?? [];
  return [inPlaces, tile];
}

withPlans(
  'a refused schedule: who, how much, why, since when and what to do, until it is accepted',
  async () => {
    expect(await counts()).toEqual(['0', '0']);
    const id = await subscribeRefused();
    const { [id]: item = '' } = await itemsIn('en');
    const link = (path: string) => `href="/operator/${path}?lang=en"`;
    const { needs_person_since: since } = await getSubscription(world, id);
    for (const shown of [
      'Schedule refused by the service',
      link(`subscriptions/${id}`),
      link(`orders/${id}-1`),
      link(`members/${key.memberId}`),
      'Open the customer',
      '₩9,900',
      MESSAGE,
      `datetime="${since}"`,
      'ask the customer to replace it',
    ])
      expect([shown, item.includes(shown)]).toEqual([shown, true]);
    const { [id]: korean } = await itemsIn('ko');
    for (const shown of ['결제 서비스가 예약을 거절함', '고객 보기', '카드를 교체해 달라고'])
      expect(korean).toContain(shown);
    expect(await open(`/subscriptions/${id}`)).toContain(MESSAGE);
    expect(await counts()).toEqual(['1', '1']);
    await world.sandbox.clearFaults();
    await pass(world, 6 * HOUR);
    expect(await getSubscription(world, id)).toMatchObject({ current_order: { charge: 'scheduled' } });
    expect([await openPlans(), await counts()]).toEqual([[], ['0', '0']]);
  },
);

withPlans('its page changes the card, pauses, resumes and cancels, and says what will happen', async () => {
  const id = await subscribeRefused();
  const other = await registerKey(world, { memberId: key.memberId });
  const buttons = async () =>
    [...(await open(`/subscriptions/${id}?lang=en`)).matchAll(/<summary class="[^"]*">([^<]*)</g)].map(
      ([, name]) => name,
    );
  const act = async (name: string, fields = {}) => {
    const browser = await signedIn(world, { by: 'kim' });
    const { status, location } = await browser.post(`/operator/subscriptions/${id}/${name}`, fields);
    expect([name, status]).toEqual([name, 303]);
    return location;
  };
  expect(await buttons()).toEqual(['Change the card', 'Pause', 'Cancel']);
  expect(await open(`/subscriptions/${id}?lang=ko`)).toContain('재개할 때까지 결제하지 않습니다.');
  expect(await act('change-card', { choice: other.customerUid })).toContain('done=plan_changed');
  expect(await getSubscription(world, id)).toMatchObject({ customer_uid: other.customerUid });
  expect(await act('pause')).toContain('done=plan_paused');
  expect(await getSubscription(world, id)).toMatchObject({ status: 'paused' });
  expect([await openPlans(), await counts()]).toEqual([[], ['0', '0']]);
  expect(await buttons()).toEqual(['Change the card', 'Resume', 'Cancel']);
  expect(await act('resume')).toContain('done=plan_resumed');
  expect(await openPlans()).toEqual([id]);
  expect(await act('cancel')).toContain('done=plan_cancelled');
  expect((await getSubscription(world, id)).status).toBe('cancelled');
  expect([await openPlans(), await counts(), await buttons()]).toEqual([[], ['0', '0'], []]);
  const browser = await signedIn(world, { by: 'kim' });
  const again = await browser.post(`/operator/subscriptions/${id}/pause`, { lang: 'en' });
  expect([again.status, again.html]).toEqual([409, expect.stringContaining('해지되었거나 종료된')]);
});

withPlans(
  'an order of other content under the id of a cycle leads to that order, not to the customer',
  async () => {
    const id = await subscribe(world, key);
    await world.api('POST', '/api/orders', { merchant_uid: `${id}-2`, name: 'Tea', amount: 1 });
    await pass(world, HOUR);
    const { [id]: item = '' } = await itemsIn('en');
    expect(item).toContain('An order with other content exists');
    expect(item).toMatch(new RegExp(`class="button" href="/operator/orders/${id}-2[^>]*>Open the order`));
  },
);

withPlans(
  'of many, the newest twenty are shown with a link to the list of all, whatever the reason',
  async () => {
    await world.rows.query(
      `insert into subscriptions (subscription_id, customer_uid, member_id, name, amount, currency, "interval", first_payment_at,
       payment_at, check_at, needs_person, needs_person_since, created_at, updated_at)
     select n || '-' || reason, $1, $2, 'Tea', 1000, 'KRW', 'month', now(), now(), now() + interval '1 day', reason, now(), now(), now()
     from unnest(enum_range(null::needs_person)) reason, generate_series(1, 6) n`,
      [key.customerUid, key.memberId],
    );
    const shown = await openPlans();
    expect(shown).toHaveLength(20);
    const ofEachReason = new Map(shown.map((id) => [id.split('-')[1], id]));
    const items = Object.entries(await itemsIn('en', [...ofEachReason.values()]));
    expect(items).toHaveLength(5);
    for (const [id, item] of items) {
      expect([id, item]).toEqual([id, expect.stringContaining('Tea')]);
      expect([id, item]).not.toEqual([id, expect.stringContaining('undefined')]);
    }
    expect(await counts()).toEqual(['30', '30']);
    expect(await open('/desk')).toContain('href="/operator/subscriptions?needs_person=true"');
    const html = await open('/subscriptions?needs_person=true');
    expect(html.match(/<tr role="row">/g)).toHaveLength(31);
  },
);
