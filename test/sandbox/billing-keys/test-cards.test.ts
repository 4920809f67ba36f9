// The test cards decide outcomes, and every other well-formed number succeeds.

import { NOW, useSandbox } from '../../support/running-sandbox';

const service = useSandbox({ slowCardMs: 60 });

const order = { merchant_uid: 'order-1', amount: 1000, name: '책' };
const isStored = async () => (await service.get('/subscribe/customers/card-1')).status === 200;

test('shows the cards with labels in both languages', async () => {
  const { body } = await service.control('GET', '/test-cards');
  expect(body.map((card: any) => [card.card_number, card.outcome])).toEqual([
    ['4242-4242-4242-4242', 'success'],
    ['4000-0000-0000-0002', 'declined'],
    ['4000-0000-0000-0010', 'wrong_password'],
    ['4000-0000-0000-0069', 'expired'],
    ['4000-0000-0000-0077', 'slow'],
    ['4000-0000-0000-0085', 'lost_response'],
    ['4000-0000-0000-0341', 'later_payments_fail'],
  ]);
  expect(body.every((card: any) => card.label_ko && card.label_en)).toBe(true);
});

test.each(['4000-0000-0000-0002', '4000-0000-0000-0010', '4000-0000-0000-0069'])(
  'refuses to issue for %s with a non-zero code and the card company text',
  async (card_number) => {
    const answer = await service.issueKey('card-1', { card_number });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ code: 1, message: expect.stringMatching(/[가-힣]/), response: null });
    expect(await isStored()).toBe(false);
  },
);

test('refuses a card past its month in Korean time', async () => {
  const january = '2027-01';
  expect(new Date(NOW * 1000).toISOString()).toMatch(/^2027-01-15/);
  expect((await service.issueKey('card-1', { expiry: january })).body.code).toBe(0);
  await service.advance(16 * 86_400 + 8 * 3600);
  await service.signIn();
  expect(new Date((NOW + 16 * 86_400 + 8 * 3600) * 1000).toISOString()).toMatch(/^2027-01-31T1[56]/);
  expect((await service.issueKey('card-2', { expiry: january })).body.code).toBe(1);
});

test('answers late for the slow card', async () => {
  const started = performance.now();
  expect((await service.issueKey('card-1', { card_number: '4000-0000-0000-0077' })).body.code).toBe(0);
  expect(performance.now() - started).toBeGreaterThanOrEqual(58);
});

test('issues and cuts the line for the lost-response card', async () => {
  await expect(service.issueKey('card-1', { card_number: '4000-0000-0000-0085' })).rejects.toThrow();
  expect(await isStored()).toBe(true);
});

test('issues for the last card, and every payment with it fails', async () => {
  expect((await service.issueKey('card-1', { card_number: '4000-0000-0000-0341' })).body.code).toBe(0);
  const { body } = await service.post('/subscribe/payments/again', { ...order, customer_uid: 'card-1' });
  expect(body).toMatchObject({
    code: 0,
    response: { status: 'failed', fail_reason: expect.any(String), paid_at: 0 },
  });
});

test('issues for any other well-formed number, without a Luhn check', async () => {
  expect((await service.issueKey('card-1', { card_number: '9999-9999-9999-9991' })).body.code).toBe(0);
});
