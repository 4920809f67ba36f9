// The test cards decide outcomes, and every other well-formed number succeeds.

import { CARD_WITH_LOST_ANSWER } from '../../support/cards';
import { eventually } from '../../support/eventually';
import { NOW, runSandbox, useSandbox, type Running } from '../../support/running-sandbox';

const service = useSandbox({ slowCardMs: 1 });

const SLOW_CARD = '4000-0000-0000-0077';
const issue = async (card: object) => (await service.issueKey('card-1', card)).body;
const isStored = async (at: Running) => (await at.get('/subscribe/customers/card-1')).status === 200;

test.each(['4000-0000-0000-0002', '4000-0000-0000-0010', '4000-0000-0000-0069'])(
  'refuses to issue for %s with a non-zero code and the card company text',
  async (card_number) => {
    const answer = await service.issueKey('card-1', { card_number });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ code: 1, message: expect.stringMatching(/[가-힣]/), response: null });
    expect(await isStored(service)).toBe(false);
  },
);

test('refuses a card past its month in Korean time', async () => {
  const toFebruary = Date.parse('2027-02-01T00:00:00+09:00') / 1000 - NOW;
  await service.advance(toFebruary - 1);
  await service.signIn();
  expect((await issue({ expiry: '2027-01' })).code).toBe(0);
  await service.advance(1);
  expect((await issue({ expiry: '2027-01' })).code).toBe(1);
});

test('answers late for the slow card', async () => {
  const slow = await runSandbox({ slowCardMs: 600_000 });
  const late = slow.issueKey('card-1', { card_number: SLOW_CARD }).catch(() => 'no answer yet');
  await eventually(() => isStored(slow));
  await slow.close();
  expect(await late).toBe('no answer yet');
  expect((await issue({ card_number: SLOW_CARD })).code).toBe(0);
});

test('issues and cuts the line for the lost-response card', async () => {
  await expect(issue({ card_number: CARD_WITH_LOST_ANSWER })).rejects.toThrow();
  expect(await isStored(service)).toBe(true);
});

test('issues for any other well-formed number, without a Luhn check', async () => {
  expect((await issue({ card_number: '9999-9999-9999-9991' })).code).toBe(0);
});
