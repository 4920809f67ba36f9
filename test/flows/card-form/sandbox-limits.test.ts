// In the sandbox, the test cards are not limited, and a limit that another card reaches can be lifted. Production knows
// neither.

import {
  CARD_LIMITS,
  SANDBOX_CARD_LIMITS,
  TEST_CARDS,
} from '../../../src/merchant/options/card-form/card-limits';
import { cardLimitsOf } from '../../../src/merchant/options/card-form/settings';
import { loadConfig } from '../../../src/merchant/settings';
import { createMemberBrowser } from '../../support/browsers';
import { callApi } from '../../support/calls';
import { attempt, forgetAttempts, newCard } from '../../support/card-form/card-form';
import { CARD } from '../../support/cards';
import { PRODUCTION_ENVIRONMENT } from '../../support/config';
import { useWorld } from '../../support/use-world';

const world = useWorld({ constants: { cardLimits: SANDBOX_CARD_LIMITS } });
beforeEach(() => forgetAttempts(world));

const statuses = async (count: number, act: () => Promise<{ status: number }>) => {
  const seen = [];
  for (let tries = 0; tries < count; tries += 1) seen.push((await act()).status);
  return [...new Set(seen)];
};

test('each test card is tried six times by one member, and none of them runs into a limit', async () => {
  const member = createMemberBrowser(world);
  const { slow, lost_response: lost, ...quick } = TEST_CARDS;
  expect([slow, lost].every((number) => SANDBOX_CARD_LIMITS.unlimitedCards?.includes(number))).toBe(true);
  for (const [name, number] of Object.entries(quick)) {
    const seen = await statuses(6, () => attempt(world, member, { card_number: number }));
    const isGood = name === 'success' || name === 'later_payments_fail';
    expect([name, seen]).toEqual([name, [isGood ? 303 : 400]]);
  }
  expect((await member.get('/cards/new')).status).toBe(200);
  expect(await world.rows.query('select key from card_limits')).toEqual([]);
});

test('key-in payments with a test card are not limited', async () => {
  const pay = async () =>
    callApi(world.url, 'POST', '/api/onetime', {
      merchant_uid: `onetime-${Math.random()}`,
      name: 'Tea',
      amount: 1000,
      ...CARD,
      ...{ card_number: TEST_CARDS.declined },
    });
  expect(await statuses(6, pay)).toEqual([402]);
});

test('another card reaches the limit, the page offers to lift it, and then it is accepted', async () => {
  const member = createMemberBrowser(world);
  await statuses(5, () => attempt(world, member, newCard()));
  const refused = await attempt(world, member, newCard());
  expect([refused.status, refused.html]).toEqual([429, expect.stringContaining('/cards/limits/lift')]);
  const lifted = await member.post('/cards/limits/lift', {});
  expect([lifted.status, lifted.location]).toEqual([303, '/cards/new']);
  expect((await attempt(world, member, newCard())).status).toBe(303);
});

test('in production every card is limited', () => {
  expect(cardLimitsOf(loadConfig(PRODUCTION_ENVIRONMENT))).toBe(CARD_LIMITS);
});
