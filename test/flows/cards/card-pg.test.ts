// The payment gateway that issues the keys of the card form (§4.2, `pg`).

import { createMemberBrowser } from '../../support/member-browser';
import { useWorld } from '../../support/use-world';

const named = useWorld({ environment: { CARD_PG: 'kcp.MID-7' } });
const unnamed = useWorld();

const gatewayOf = async (world: typeof named, customerUid: string) => {
  const { body } = await world.api('GET', `/api/billing-keys?customer_uid[]=${customerUid}`);
  const [{ pg_provider, pg_id }] = body;
  return [pg_provider, pg_id];
};

test('a card that is registered, and one that replaces it, get their key at the gateway of CARD_PG', async () => {
  const member = createMemberBrowser(named);
  const { customerUid } = await member.register();
  expect(await gatewayOf(named, customerUid)).toEqual(['kcp', 'MID-7']);
  expect((await member.replace(customerUid)).status).toBe(303);
  expect(await gatewayOf(named, customerUid)).toEqual(['kcp', 'MID-7']);
});

test('without CARD_PG none is named', async () => {
  const { customerUid } = await createMemberBrowser(unnamed).register();
  expect(await gatewayOf(unnamed, customerUid)).toEqual(['nice', 'sandbox_mid']);
});
