// What a test of the card pages asserts besides the answer: the rows, and the calls that the service saw.

import { traces, type Fields, type MemberBrowser } from './member-browser';
import type { World } from './world';

export const ISSUE = 'POST /subscribe/customers/:customer_uid';
export const LOOK_UP = 'GET /subscribe/customers';
export const DELETE = 'DELETE /subscribe/customers/:customer_uid';
export const TOKEN = 'POST /users/getToken';

export type CardEvidence = ReturnType<typeof createCardEvidence>;

export function createCardEvidence(world: World) {
  /** Calls that the service sees while something is done. */
  async function callsDuring(endpoint: string, act: () => Promise<unknown>): Promise<number> {
    const before = await world.sandbox.requests(endpoint);
    await act();
    return (await world.sandbox.requests(endpoint)) - before;
  }

  async function allCallsDuring(act: () => Promise<unknown>): Promise<number> {
    const before = await world.sandbox.allRequests();
    await act();
    return (await world.sandbox.allRequests()) - before;
  }

  const allKeys = () => world.rows.query('select * from billing_keys order by customer_uid');

  return {
    callsDuring,
    allCallsDuring,
    keyOf: async (customerUid: string) =>
      (await world.rows.query('select * from billing_keys where customer_uid = $1', [customerUid]))[0],
    issuancesOf: (customerUid: string) =>
      world.rows.query('select * from billing_key_issuances where customer_uid = $1 order by id', [
        customerUid,
      ]),

    /** Posts a form that must be refused: no call, no row, nothing echoed. */
    async expectRefusedUnsent(
      member: MemberBrowser,
      status: number,
      fields: Fields,
      headers: Record<string, string> = {},
    ): Promise<string> {
      const rowsBefore = await allKeys();
      let html = '';
      const calls = await allCallsDuring(async () => {
        const answer = await member.post('/cards', fields, headers);
        expect(answer.status).toBe(status);
        html = answer.html;
      });
      for (const trace of traces(fields)) expect(html).not.toContain(trace);
      expect(calls).toBe(0);
      expect(await allKeys()).toEqual(rowsBefore);
      return html;
    },
  };
}
