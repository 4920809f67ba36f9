// A call at the service as another of the merchant's programs would make it: past the merchant, under the live prefix.

import type { World } from './world';

export const GOOD_CARD = {
  card_number: '5555-5555-5555-4444',
  expiry: '2039-12',
  birth: '880101',
  pwd_2digit: '12',
};

export async function callService({ sandbox }: World, path: string, body: object): Promise<void> {
  const token = await fetch(`${sandbox.url}/users/getToken`, {
    method: 'POST',
    body: new URLSearchParams({ abc_key: 'sandbox_key', abc_secret: 'sandbox_secret' }),
  });
  const { response } = (await token.json()) as { response: { access_token: string } };
  const answer = await fetch(`${sandbox.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${response.access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(await answer.json()).toMatchObject({ code: 0 });
}
