// Payments are listed by status, within a period, sorted and in pages (§4.5).

import { NOW, useSandbox } from '../../support/running-sandbox';

const DAY = 86_400;

const service = useSandbox();

const list = async (query: string) => (await service.get(`/payments/status/${query}`)).body.response;
const orders = async (query: string) => (await list(query)).list.map((payment: any) => payment.merchant_uid);

/** Makes three payments whose orders by start, by payment and by change all differ. */
async function threePayments() {
  const account = await service.pay({ merchant_uid: 'account', outcome: 'virtual_account' });
  await service.advance(10);
  const cancelled = await service.pay({ merchant_uid: 'cancelled' });
  await service.advance(10);
  await service.pay({ merchant_uid: 'paid' });
  await service.advance(10);
  await service.control('POST', `/payments/${account.svc_uid}/deposit`);
  await service.advance(10);
  await service.control('POST', `/payments/${cancelled.svc_uid}/cancel`);
}

describe('status and order', () => {
  beforeEach(threePayments);

  test.each([
    ['started', ['account', 'cancelled', 'paid']],
    ['-started', ['paid', 'cancelled', 'account']],
    ['paid', ['cancelled', 'paid', 'account']],
    ['-paid', ['account', 'paid', 'cancelled']],
    ['updated', ['paid', 'account', 'cancelled']],
    ['-updated', ['cancelled', 'account', 'paid']],
  ])('sorts all by %s', async (sorting, expected) => {
    expect(await orders(`all?sorting=${sorting}`)).toEqual(expected);
  });

  test('sorts by start ascending when nothing is said', async () => {
    expect(await orders('all')).toEqual(['account', 'cancelled', 'paid']);
  });

  test('gives each status its own, and an empty first page where there is none', async () => {
    await service.pay({ merchant_uid: 'failed', outcome: 'failed' });
    await service.pay({ merchant_uid: 'waiting', outcome: 'virtual_account' });
    expect(await orders('paid')).toEqual(['account', 'paid']);
    expect(await orders('cancelled')).toEqual(['cancelled']);
    expect(await orders('failed')).toEqual(['failed']);
    expect(await orders('ready')).toEqual(['waiting']);
    expect((await list('all')).total).toBe(5);
    expect(await list(`failed?from=${NOW - DAY}&to=${NOW - 1}`)).toEqual({
      total: 0,
      previous: 0,
      next: 0,
      list: [],
    });
  });

  test('searches each status on its own clock', async () => {
    // `account` was started at 0 and paid at 30, `cancelled` was paid at 10 and cancelled at 40.
    expect(await orders(`paid?from=${NOW + 25}&to=${NOW + 35}`)).toEqual(['account']);
    expect(await orders(`cancelled?from=${NOW + 40}&to=${NOW + 40}`)).toEqual(['cancelled']);
    expect(await orders(`cancelled?from=${NOW}&to=${NOW + 39}`)).toEqual([]);
    expect(await orders(`all?from=${NOW + 10}&to=${NOW + 20}`)).toEqual(['cancelled', 'paid']);
  });
});

describe('pages', () => {
  beforeEach(async () => {
    for (let number = 1; number <= 25; number += 1)
      await service.pay({ merchant_uid: `order-${number}`, notify: false });
  });

  test('holds 20 by default, with 0 for previous and next at the ends', async () => {
    const [first, second] = [await list('all'), await list('all?page=2')];
    expect([first.total, first.previous, first.next, first.list.length]).toEqual([25, 0, 2, 20]);
    expect([second.total, second.previous, second.next, second.list.length]).toEqual([25, 1, 0, 5]);
  });

  test('keeps the order of creation where times are equal, and cuts without gaps', async () => {
    const pages = await Promise.all([1, 2, 3].map((page) => orders(`all?limit=10&page=${page}`)));
    expect(pages.flat()).toEqual(Array.from({ length: 25 }, (_, index) => `order-${index + 1}`));
    const backwards = await Promise.all(
      [1, 2, 3].map((page) => orders(`all?limit=10&page=${page}&sorting=-started`)),
    );
    expect(backwards.flat()).toEqual(pages.flat().reverse());
  });

  test('takes a limit up to 1000 and a page within the data; 400 beyond', async () => {
    expect((await list('all?limit=1000')).list).toHaveLength(25);
    for (const query of [
      'all?limit=1001',
      'all?limit=0',
      'all?page=3',
      'all?page=0',
      'all?page=x',
      'all?limit=1.5',
    ]) {
      const answer = await service.get(`/payments/status/${query}`);
      expect([query, answer.status, answer.body.code]).toEqual([query, 400, -1]);
    }
  });
});

describe('the search period (§8)', () => {
  test('is the last 90 days up to now when neither end is given', async () => {
    await service.pay({ merchant_uid: 'old' });
    await service.advance(90 * DAY);
    await service.signIn();
    expect(await orders('all')).toEqual(['old']);
    await service.advance(1);
    expect(await orders('all')).toEqual([]);
  });

  test('begins 90 days before `to`, and ends now when only `from` is given', async () => {
    await service.pay({ merchant_uid: 'old' });
    await service.advance(100 * DAY);
    await service.signIn();
    expect(await orders(`all?to=${NOW + DAY}`)).toEqual(['old']);
    expect((await service.get(`/payments/status/all?from=${NOW}`)).status).toBe(400);
    expect(await orders(`all?from=${NOW + 99 * DAY}`)).toEqual([]);
  });

  test('is at most 90 days and does not end before it begins', async () => {
    expect((await service.get(`/payments/status/all?from=${NOW - 90 * DAY}&to=${NOW}`)).status).toBe(200);
    expect((await service.get(`/payments/status/all?from=${NOW - 90 * DAY - 1}&to=${NOW}`)).status).toBe(400);
    expect((await service.get(`/payments/status/all?from=${NOW}&to=${NOW - 1}`)).status).toBe(400);
    expect((await service.get('/payments/status/all?from=yesterday')).status).toBe(400);
  });
});

test('answers 400 for an unknown status and an unknown order', async () => {
  expect((await service.get('/payments/status/done')).status).toBe(400);
  expect((await service.get('/payments/status/all?sorting=amount')).status).toBe(400);
});
