// Refunds by operators with REFUND_LIMIT=500: payments, requests, decisions, and what a refused one must leave unchanged.

import type { Answer, OperatorBrowser } from '../../support/browsers';
import { CANCEL_PAYMENT } from '../../support/discrepancies';
import { newUid, registerOrder } from '../../support/orders';
import { useWorld } from '../../support/use-world';
import { makeAccount, signInAs } from './accounts-setup';

/** kim and park may refund, lee is an administrator, choi only decides. */
const ROLES = { kim: 'refund', park: 'refund', lee: 'admin', choi: 'decide' } as const;
type Name = keyof typeof ROLES;
type RequestRow = Record<string, unknown> & { id: string };

const DONE = /[?&]done=(\w+)/;
export const doneBy = ({ location }: { location: string | null }) => DONE.exec(location ?? '')?.[1];

export const fieldsOf = (amount: number, checksum: number) => ({
  how: 'part',
  amount: String(amount),
  checksum: String(checksum),
  reason: 'cold tea',
});

export function useRefundLimit() {
  const world = useWorld({ environment: { REFUND_LIMIT: '500' } });
  const browsers = new Map<Name, OperatorBrowser>();
  const withAccount = new Set<Name>();
  // The test before may have moved the clock too far for its sign-ins.
  beforeEach(() => browsers.clear());

  async function as(name: Name): Promise<OperatorBrowser> {
    if (!withAccount.has(name)) await makeAccount(world, name, ROLES[name]);
    withAccount.add(name);
    const browser = browsers.get(name) ?? (await signInAs(world, name)).browser;
    browsers.set(name, browser);
    return browser;
  }

  /** As before the first account. */
  async function removeAccounts(): Promise<void> {
    await world.rows.query('delete from operator_sessions; delete from operators');
    withAccount.clear();
    browsers.clear();
  }

  async function pay(amount = 1000, payment: Record<string, unknown> = {}, order: object = {}) {
    const merchantUid = await registerOrder(world, newUid(), { amount, ...order });
    const { svc_uid: svcUid } = await world.sandbox.pay({ merchant_uid: merchantUid, amount, ...payment });
    return svcUid;
  }

  const refund = async (svcUid: string, amount: number, checksum: number, by: Name = 'kim') =>
    (await as(by)).post(`/operator/payments/${svcUid}/refund`, fieldsOf(amount, checksum));

  async function requestOf(svcUid: string): Promise<RequestRow | undefined> {
    const rows = await world.rows.query<RequestRow>(
      'select * from refund_requests where svc_uid = $1 order by id desc',
      [svcUid],
    );
    return rows[0];
  }

  /** Requests a refund of 600, which is above the limit. */
  async function requested() {
    const svcUid = await pay();
    expect(doneBy(await refund(svcUid, 600, 1000))).toBe('refund_requested');
    return { svcUid, id: (await requestOf(svcUid))?.id ?? '' };
  }

  const decide = async (
    id: string,
    decision: 'approve' | 'reject',
    by: Name = 'lee',
    fields: Record<string, string> = {},
  ) => (await as(by)).post(`/operator/desk/refund-requests/${id}/${decision}?lang=en`, fields);

  /** What moves money, or asks for it. */
  async function books(): Promise<string> {
    const rows = async (table: string) =>
      JSON.stringify(await world.rows.query(`select * from ${table} order by id`));
    return `${await rows('refunds')} ${await rows('refund_requests')} ${await world.rows.money()}`;
  }

  /** What is refused has no effect, and says why by this code. */
  async function expectRefused(code: string, status: number, act: () => Promise<Answer>): Promise<Answer> {
    const before = await books();
    let answer: Answer | null = null;
    const sent = await world.sandbox.requestsDuring(CANCEL_PAYMENT, async () => {
      answer = await act();
    });
    const { status: shown, html } = answer as unknown as Answer;
    expect([shown, html.includes(`<code>${code}</code>`), sent]).toEqual([status, true, 0]);
    expect(await books()).toBe(before);
    return answer as unknown as Answer;
  }

  return {
    world,
    as,
    /** The next request of this operator signs in again. */
    signOut: (name: Name) => browsers.delete(name),
    removeAccounts,
    pay,
    refund,
    requestOf,
    requested,
    decide,
    expectRefused,
  };
}
