// Members with unique values in all personal data, and a search for these values in all rows after the erasure.

import { registerKey } from './keys';
import { charge, getOrder, newUid, registerOrder } from './orders';
import type { World } from './world';

export const DELETE_KEY = 'DELETE /subscribe/customers/:customer_uid';
export const MINUTE = 60;

let members = 0;

/** A member with its own card number, and all values that identify the member. */
export async function newMember(world: World) {
  members += 1;
  const lastFour = String(7000 + members);
  const key = await registerKey(world, { card_number: `5409-1357-2468-${lastFour}` });
  const buyer = {
    name: `Canary ${lastFour}`,
    email: `canary-${lastFour}@example.com`,
    tel: `010-5555-${lastFour}`,
    addr: `${lastFour} Canary-ro`,
    postcode: `PC-${lastFour}`,
  };
  const customData = { note: `canary-data-${lastFour}` };
  // Plain digits may occur in a time or an id.
  const lastDigits = [`,${lastFour},`, `****-${lastFour}`];
  const canaries = [...Object.values(buyer), customData.note, key.memberId, ...lastDigits];
  return { ...key, buyer, customData, canaries };
}
export type Member = Awaited<ReturnType<typeof newMember>>;

export const erase = (world: World, memberId: string) => world.api('POST', `/api/members/${memberId}/erase`);

/** The fields of an order of the member. */
export const fieldsOf = ({ memberId, buyer, customData }: Member) => ({
  member_id: memberId,
  buyer,
  custom_data: customData,
});

/** An order of the member, paid with its card. */
export async function paidOrder(world: World, member: Member) {
  const merchantUid = await registerOrder(world, newUid(), fieldsOf(member));
  expect((await charge(world, merchantUid, member.customerUid)).status).toBe(200);
  return { merchantUid, svcUid: (await getOrder(world, merchantUid)).payments[0].svc_uid as string };
}

/** The canaries of a member found in any row of any table. */
export async function found({ rows }: World, { canaries }: Member): Promise<string[]> {
  const dump = await rows.dump();
  return canaries.filter((canary) => dump.includes(canary));
}

/** Every row that names the member, its card, or its orders. */
export async function rowsOf({ rows }: World, member: Member): Promise<string[]> {
  const orders = await rows.query<{ uid: string }>(
    'select merchant_uid as uid from orders where member_id = $1',
    [member.memberId],
  );
  const ids = [member.memberId, member.customerUid, ...orders.map(({ uid }) => uid)];
  const lines = (await rows.dump()).split('\n');
  return lines
    .filter((line) => !line.startsWith('graphile_worker') && ids.some((id) => line.includes(id)))
    .sort();
}
