// The lists of the JSON API show payments, billing keys and schedules as the service has them, and notifications and
// discrepancies as they are stored.

import { callService } from '../../support/call-service';
import { CARD } from '../../support/cards';
import { registerOrder } from '../../support/orders';
import { useWorld } from '../../support/use-world';

const world = useWorld();
const keys = ['card-1', 'card-2', 'card-3'];
const now = () => Math.floor(world.clock.nowMs() / 1000);
const DAY = 86_400;
/** So many seconds from now, as ISO 8601. */
const timeIn = (seconds: number) => new Date(world.clock.nowMs() + seconds * 1000).toISOString();

beforeAll(async () => {
  await registerOrder(world, 'paid');
  await registerOrder(world, 'cheap');
  await world.sandbox.pay({ merchant_uid: 'paid', amount: 1000 });
  await world.sandbox.pay({ merchant_uid: 'cheap', amount: 999 });
  await world.sandbox.pay({ merchant_uid: 'failed', amount: 1000, outcome: 'failed' });
  for (const key of keys.slice(0, 2)) await callService(world, `/subscribe/customers/${key}`, CARD);
  await holdKey('card-1', 'active');
  await holdKey('card-3', 'failed');
  for (const each of [1, 2, 3])
    await callService(world, '/subscribe/payments/again', {
      customer_uid: 'card-1',
      merchant_uid: `again-${each}`,
      amount: 500,
      name: 'Tea',
    });
  await callService(world, '/subscribe/payments/schedule', {
    customer_uid: 'card-2',
    schedules: [1, 2, 3].map((each) => ({
      merchant_uid: `schedule-${each}`,
      schedule_at: now() + each * 200 * DAY,
      amount: 700,
      name: 'Tea',
    })),
  });
});

async function holdKey(customerUid: string, status: string): Promise<void> {
  await world.rows.query(
    `insert into billing_keys (customer_uid, member_id, status, created_at, updated_at)
     values ($1, 'member-1', $2::billing_key_status, now(), now())`,
    [customerUid, status],
  );
}

const get = (path: string) => world.api('GET', path);
const uidsOf = (list: { merchant_uid: string }[]) => list.map(({ merchant_uid }) => merchant_uid);

describe('payments by status (§4.5)', () => {
  test('come from the service, under the names of the document, also those that never fitted an order', async () => {
    const { status, body } = await get('/api/payments?sorting=-started&limit=1000');
    expect(status).toBe(200);
    expect(body).toMatchObject({ total: 6, previous: 0, next: 0, unreadable: [] });
    expect(uidsOf(body.list)).toEqual(expect.arrayContaining(['paid', 'cheap', 'failed', 'again-1']));
    const cheap = body.list.find((payment: any) => payment.merchant_uid === 'cheap');
    expect(cheap).toMatchObject({ status: 'paid', amount: 999, cancel_amount: 0, currency: 'KRW' });
    expect(cheap).toMatchObject({ paid_at: expect.any(Number), failed_at: 0, buyer_name: expect.anything() });
    expect(JSON.stringify(body)).not.toContain('abc_uid');
  });

  test('are asked by status, a page at a time', async () => {
    const failed = await get('/api/payments?status=failed');
    expect(uidsOf(failed.body.list)).toEqual(['failed']);
    const second = await get('/api/payments?status=paid&limit=2&page=2&sorting=started');
    expect(second.body).toMatchObject({ total: 5, previous: 1, next: 3 });
    expect(second.body.list).toHaveLength(2);
  });

  test('are asked for a period', async () => {
    const { body } = await get(`/api/payments?from=${now() - 90 * DAY}&to=${now() - DAY}`);
    expect(body).toMatchObject({ total: 0, list: [] });
  });

  test('a page outside the data range is a 400', async () => {
    const { status, body } = await get('/api/payments?status=paid&page=99');
    expect([status, body.error.code]).toEqual([400, 'page_out_of_range']);
  });
});

describe('billing keys (§4.7)', () => {
  test('show both sides: the service’s record, and what we hold', async () => {
    const { status, body } = await get('/api/billing-keys?customer_uid[]=card-1&customer_uid%5B%5D=card-2');
    expect(status).toBe(200);
    expect(body).toHaveLength(2);
    expect(body[0]).toMatchObject({ customer_uid: 'card-1', code: 0, message: null });
    expect(body[0].stored).toMatchObject({ member_id: 'member-1', status: 'active' });
    expect(body[0].card_number).toBe('5409-13**-****-9012');
    expect(body[1]).toMatchObject({ customer_uid: 'card-2', code: 0, stored: null });
  });

  test('that only we know of say so', async () => {
    const { body } = await get('/api/billing-keys?customer_uid[]=card-3');
    expect(body).toMatchObject([{ customer_uid: 'card-3', code: 1, stored: { status: 'failed' } }]);
  });

  test('that nobody knows are a 404', async () => {
    const { status, body } = await get('/api/billing-keys?customer_uid[]=card-9');
    expect([status, body.error.code]).toEqual([404, 'billing_key_not_found']);
  });

  test.each(['paged', 'array'])(
    'what was paid with one, where the service gives %s (§4.6)',
    async (shape) => {
      await world.sandbox.settings({ billing_key_payments_shape: shape });
      const { body } = await get('/api/billing-keys/card-1/payments');
      expect(body).toMatchObject({ total: 3, previous: 0, next: 0 });
      expect(uidsOf(body.list).sort()).toEqual(['again-1', 'again-2', 'again-3']);
      const past = await get('/api/billing-keys/card-1/payments?page=7');
      expect([past.status, past.body.error.code]).toEqual([400, 'page_out_of_range']);
    },
  );

  test('an unknown key has no payments: the service’s 404 becomes ours, with its message', async () => {
    const { status, body } = await get('/api/billing-keys/card-9/payments');
    expect(status).toBe(404);
    expect(body.error).toEqual({
      code: 'service_not_found',
      message: '요청하신 customer_uid(card-9)로 등록된 정보를 찾을 수 없습니다.',
    });
  });
});

describe('schedules (§4.8)', () => {
  test('are listed by period, the newest first, also further ahead than 90 days', async () => {
    const { status, body } = await get(
      `/api/schedules?schedule_from=${now()}&schedule_to=${now() + 900 * DAY}`,
    );
    expect(status).toBe(200);
    expect(uidsOf(body)).toEqual(['schedule-3', 'schedule-2', 'schedule-1']);
    expect(body[0]).toMatchObject({ schedule_status: 'scheduled', payment_status: null, executed_at: 0 });
    expect(body[0]).toMatchObject({ schedule_at: now() + 600 * DAY, customer_uid: 'card-2', amount: 700 });
  });

  test('are filtered, sorted and paged', async () => {
    const period = `schedule_from=${now()}&schedule_to=${now() + 900 * DAY}`;
    const oldest = await get(`/api/schedules?${period}&sorting=scheduled&limit=2&page=1`);
    expect(uidsOf(oldest.body)).toEqual(['schedule-1', 'schedule-2']);
    expect((await get(`/api/schedules?${period}&schedule_status=revoked`)).body).toEqual([]);
    expect((await get(`/api/schedules?${period}&page=5`)).body.error.code).toBe('page_out_of_range');
  });
});

describe('notifications and discrepancies', () => {
  test('what was received, the newest first, and what came of it', async () => {
    const { body } = await get('/api/notifications');
    const times = body.list.map(({ received_at }: any) => Date.parse(received_at));
    expect(times).toEqual([...times].sort((one, other) => other - one));
    const paid = await get('/api/notifications?merchant_uid=paid');
    expect(paid.body).toMatchObject({
      list: [
        {
          outcome: 'recorded',
          claimed_status: 'paid',
          source_address: expect.stringMatching(/^52\.78\./),
          attempts: 1,
        },
      ],
      next: null,
    });
  });

  test('what did not fit, with both values', async () => {
    const { body } = await get('/api/discrepancies?kind=amount_mismatch&open=true');
    expect(body.list).toMatchObject([
      { merchant_uid: 'cheap', expected: '1000 KRW', actual: '999 KRW', resolved_at: null, times_seen: 1 },
    ]);
    expect((await get('/api/discrepancies?kind=amount_mismatch&open=false')).body.list).toEqual([]);
  });

  test('filters: payment, outcome, what is open, period', async () => {
    const list = async (query: string): Promise<any[]> =>
      (await get(`/api/notifications?${query}`)).body.list;
    const [mismatch] = await list('outcome=amount_mismatch');
    expect(mismatch).toMatchObject({ merchant_uid: 'cheap' });
    expect(await list(`svc_uid=${mismatch.svc_uid}`)).toEqual([mismatch]);
    expect(await list('merchant_uid=cheap&outcome=recorded')).toEqual([]);
    expect(uidsOf(await list('open=true'))).not.toContain('paid');
    expect(uidsOf(await list('open=false'))).toContain('paid');
    expect(await list(`to=${timeIn(-DAY)}`)).toEqual([]);
    expect(uidsOf(await list(`from=${timeIn(-DAY)}&to=${timeIn(DAY)}`))).toContain('paid');
  });

  test.each(['notifications', 'discrepancies'])(
    'the period of %s takes any offset, whose "+" may be escaped or not',
    async (path) => {
      const list = async (query: string): Promise<any[]> => (await get(`/api/${path}?${query}`)).body.list;
      const all = uidsOf(await list('limit=1000'));
      expect(all).toContain('cheap');
      // A minute ago and in a minute, as a clock in Seoul shows it, is 9 hours later than in UTC.
      const inSeoul = (seconds: number) => timeIn(seconds + 9 * 3600).replace('Z', '+09:00');
      for (const write of [encodeURI, encodeURIComponent]) {
        expect(uidsOf(await list(`limit=1000&from=${write(inSeoul(-60))}`))).toEqual(all);
        expect(await list(`to=${write(inSeoul(-60))}`)).toEqual([]);
        expect(await list(`from=${write(inSeoul(60))}`)).toEqual([]);
      }
    },
  );

  test('every row comes once, page by page, though new ones arrive in between', async () => {
    const all: string[] = (await get('/api/notifications?limit=1000')).body.list.map(({ id }: any) => id);
    expect(all.length).toBeGreaterThan(3);
    const seen: string[] = [];
    for (let after = ''; ;) {
      const { body } = await get(`/api/notifications?limit=2${after}`);
      seen.push(...body.list.map(({ id }: any) => id));
      await world.notify({ svc_uid: 'svc_nobody', merchant_uid: 'nobody', status: 'paid' });
      if (body.next === null) break;
      after = `&after=${body.next}`;
    }
    expect(seen).toEqual(all);
  });
});
