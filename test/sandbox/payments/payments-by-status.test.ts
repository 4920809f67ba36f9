// Payments are listed by status, in six orders, within a period of at most 90 days and in pages (§4.5).

import { NOW, useSandbox } from '../../support/running-sandbox';

const DAY = 86_400;

const service = useSandbox();

const ask = (query: string) => service.get(`/payments/status/${query}`);
const list = async (query: string) => (await ask(query)).body.response;
const orders = async (query: string) => (await list(query)).list.map((payment: any) => payment.merchant_uid);

describe('status and order', () => {
  /** Three payments whose orders by start, by payment and by change all differ. */
  beforeEach(async () => {
    const account = await service.pay({ merchant_uid: 'account', outcome: 'virtual_account' });
    await service.advance(10);
    const cancelled = await service.pay({ merchant_uid: 'cancelled' });
    await service.advance(10);
    await service.pay({ merchant_uid: 'paid' });
    await service.advance(10);
    await service.control('POST', `/payments/${account.svc_uid}/deposit`);
    await service.advance(10);
    await service.control('POST', `/payments/${cancelled.svc_uid}/cancel`);
  });

  test.each([
    ['', ['account', 'cancelled', 'paid']],
    ['started', ['account', 'cancelled', 'paid']],
    ['-started', ['paid', 'cancelled', 'account']],
    ['paid', ['cancelled', 'paid', 'account']],
    ['-paid', ['account', 'paid', 'cancelled']],
    ['updated', ['paid', 'account', 'cancelled']],
    ['-updated', ['cancelled', 'account', 'paid']],
  ])('sorts all by "%s", which is by start when nothing is said', async (sorting, expected) => {
    expect(await orders(sorting === '' ? 'all' : `all?sorting=${sorting}`)).toEqual(expected);
  });

  test('gives each status its own, and an empty first page where there is none', async () => {
    await service.pay({ merchant_uid: 'failed', outcome: 'failed' });
    await service.pay({ merchant_uid: 'waiting', outcome: 'virtual_account' });
    expect(await orders('paid')).toEqual(['account', 'paid']);
    expect(await orders('cancelled')).toEqual(['cancelled']);
    expect(await orders('failed')).toEqual(['failed']);
    expect(await orders('ready')).toEqual(['waiting']);
    expect((await list('all')).total).toBe(5);
    const nothing = { total: 0, previous: 0, next: 0, list: [] };
    expect(await list(`failed?from=${NOW - DAY}&to=${NOW - 1}`)).toEqual(nothing);
  });

  test('searches each status on its own clock', async () => {
    // `account` was started at 0 and paid at 30, `cancelled` was paid at 10 and cancelled at 40.
    expect(await orders(`paid?from=${NOW + 25}&to=${NOW + 35}`)).toEqual(['account']);
    expect(await orders(`cancelled?from=${NOW + 40}&to=${NOW + 40}`)).toEqual(['cancelled']);
    expect(await orders(`cancelled?from=${NOW}&to=${NOW + 39}`)).toEqual([]);
    expect(await orders(`all?from=${NOW + 10}&to=${NOW + 20}`)).toEqual(['cancelled', 'paid']);
  });
});

test('pages hold 20 by default, with 0 for previous and next at the ends', async () => {
  const made = Array.from({ length: 25 }, (_, index) => `order-${index + 1}`);
  for (const merchant_uid of made) await service.pay({ merchant_uid });
  const [first, second] = [await list('all'), await list('all?page=2')];
  expect([first.total, first.previous, first.next, first.list.length]).toEqual([25, 0, 2, 20]);
  expect([second.total, second.previous, second.next, second.list.length]).toEqual([25, 1, 0, 5]);
  // In the order of creation where times are equal, and without gaps.
  const [one, two, three] = await Promise.all([1, 2, 3].map((page) => orders(`all?limit=10&page=${page}`)));
  expect([...one, ...two, ...three]).toEqual(made);
  expect(await orders('all?limit=1000&sorting=-started')).toEqual(made.toReversed());
});

test.each([
  'done',
  'all?sorting=amount',
  'all?limit=1001',
  'all?limit=0',
  'all?page=2',
  'all?page=0',
  `all?from=${NOW - 90 * DAY - 1}&to=${NOW}`,
  `all?from=${NOW}&to=${NOW - 1}`,
  'all?from=yesterday',
])('answers 400 for a wrong status, order, limit, page or period: %s', async (query) => {
  await service.pay();
  expect(await ask(query)).toMatchObject({ status: 400, body: { code: -1 } });
});

describe('the search period (§8)', () => {
  beforeEach(() => service.pay({ merchant_uid: 'old' }));

  test('is the last 90 days up to now when neither end is given', async () => {
    await service.advance(90 * DAY);
    await service.signIn();
    expect(await orders('all')).toEqual(['old']);
    await service.advance(1);
    expect(await orders('all')).toEqual([]);
  });

  test('begins 90 days before `to`, and ends now when only `from` is given', async () => {
    await service.advance(100 * DAY);
    await service.signIn();
    expect(await orders(`all?to=${NOW + DAY}`)).toEqual(['old']);
    expect((await ask(`all?from=${NOW}`)).status).toBe(400);
    expect(await orders(`all?from=${NOW + 99 * DAY}`)).toEqual([]);
    expect(await orders(`all?from=${NOW - DAY}&to=${NOW + 89 * DAY}`)).toEqual(['old']);
  });
});
