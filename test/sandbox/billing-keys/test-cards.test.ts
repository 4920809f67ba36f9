// The test cards decide outcomes, and every other well-formed number succeeds.

import { CARD_WITH_LOST_ANSWER } from '../../support/cards';
import { useSandbox } from '../../support/running-sandbox';

const service = useSandbox();

const issue = async (card: object) => (await service.issueKey('card-1', card)).body;
const isStored = async () => (await service.get('/subscribe/customers/card-1')).status === 200;

test.each(['4000-0000-0000-0002', '4000-0000-0000-0010', '4000-0000-0000-0069'])(
  'refuses to issue for %s with a non-zero code and the card company text',
  async (card_number) => {
    const answer = await service.issueKey('card-1', { card_number });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ code: 1, message: expect.stringMatching(/[가-힣]/), response: null });
    expect(await isStored()).toBe(false);
  },
);

test('issues and cuts the line for the lost-response card', async () => {
  await expect(issue({ card_number: CARD_WITH_LOST_ANSWER })).rejects.toThrow();
  expect(await isStored()).toBe(true);
});

test('issues for any other well-formed number, without a Luhn check', async () => {
  expect((await issue({ card_number: '9999-9999-9999-9991' })).code).toBe(0);
});
