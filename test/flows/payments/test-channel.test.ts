// A payment of a test channel moves no money. In production it pays for no order, by whatever path it is found and whatever the
// service shows; test/merchant/core/payments/channel.test.ts has every combination.

import { findDiscrepancies } from '../../../src/merchant/core/discrepancies/store';
import { registerOrder } from '../../../src/merchant/core/orders/register-order';
import type { ReportedIds } from '../../../src/merchant/core/payments/fetch-payment';
import { syncOrder, syncPayment } from '../../../src/merchant/core/payments/sync-payment';
import { reconcile } from '../../../src/merchant/core/reconciliation/reconcile';
import { refundDiscrepancy } from '../../../src/merchant/core/refunds/refund-discrepancy';
import { FEATURES } from '../../../src/merchant/features';
import { closeContext, createContext, type Context } from '../../../src/merchant/platform/context';
import { CANCEL_PAYMENT } from '../../support/discrepancies';
import { FETCH_PAYMENT } from '../../support/sandbox-controls';
import { useRunningContext } from '../../support/use-world';

const running = useRunningContext();
/** Shows test payments although the query does not ask for them, so the verification has to refuse them. */
let showsAll: Context;
/** Hides them, like the live service. */
let hidesTests: Context;
beforeAll(async () => {
  const config = { ...running.context.config, production: true };
  showsAll = { ...running.context, config, state: new Map() };
  hidesTests = createContext({
    config,
    clock: running.clock,
    logger: running.log.logger,
    features: FEATURES,
  });
  await running.sandbox.settings({ test_channel: true });
});
afterAll(() => closeContext(hidesTests));
afterEach(() => running.sandbox.settings({ test_channel: true }));

const TEA = { name: 'Tea', amount: 1000, currency: 'KRW', memberId: null };
async function pay(merchantUid: string): Promise<ReportedIds> {
  await registerOrder(running.context, { merchantUid, ...TEA });
  const { svc_uid: svcUid } = await running.sandbox.pay({ merchant_uid: merchantUid, amount: 1000 });
  return { svcUid, merchantUid };
}

const openDiscrepancies = `select kind, actual from discrepancies where svc_uid = $1 and resolved_at is null`;
const saidOf = ({ svcUid }: ReportedIds) => running.rows.query(openDiscrepancies, [svcUid]);
const outcomeOf = async (context: Context, reported: ReportedIds) =>
  (await syncPayment(context, reported)).outcome;

/** Nothing of it is stored, and its order has not changed. */
async function expectNotPaid(merchantUid: string) {
  const rows = `select o.status, version, count(p)::int as payments
    from orders o left join payments p using (merchant_uid) where merchant_uid = $1 group by o.merchant_uid`;
  const open = { status: 'open', version: 0, payments: 0 };
  expect(await running.rows.query(rows, [merchantUid])).toEqual([open]);
}

test('a payment of a test channel pays for no order in production', async () => {
  const reported = await pay('test-in-production');
  expect(await outcomeOf(showsAll, reported)).toBe('order_mismatch');
  await expectNotPaid(reported.merchantUid);
  expect(await saidOf(reported)).toEqual([{ kind: 'order_mismatch', actual: 'a payment of a test channel' }]);
  expect(await outcomeOf(running.context, reported)).toBe('recorded');
});

test('a live payment does not pay until the legacy generation shows it', async () => {
  await running.sandbox.settings({ test_channel: false });
  const reported = { ...(await pay('late')), generation: 'newer' } as const;
  await running.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 404, times: 1 });
  expect(await outcomeOf(hidesTests, reported)).toBe('unknown_payment');
  const noChannel = { kind: 'unknown_payment', actual: 'a payment that shows no channel' };
  expect(await saidOf(reported)).toEqual([noChannel]);
  await expectNotPaid(reported.merchantUid);
  expect(await outcomeOf(hidesTests, reported)).toBe('recorded');
  expect(await saidOf(reported)).toEqual([]);
});

test('in production neither reconciliation nor a sync of the order records a test payment', async () => {
  const reported = await pay('test-other-ways');
  for (const context of [hidesTests, showsAll]) {
    await reconcile(context, { ninetyDays: true });
    await syncOrder(context, reported.merchantUid);
    await expectNotPaid(reported.merchantUid);
  }
});

test('in production the discrepancy of a test payment cannot be refunded', async () => {
  const reported = await pay('test-refund');
  await syncPayment(showsAll, reported);
  const [noted] = await findDiscrepancies(showsAll, { svcUid: reported.svcUid }, 1);
  const refund = { id: noted?.id ?? 0n, reason: 'fits no order', by: 'kim', refundAccount: null };
  const sent = await running.sandbox.requestsDuring(CANCEL_PAYMENT, async () => {
    expect(await refundDiscrepancy(showsAll, refund)).toEqual({ kind: 'nothing_to_cancel' });
    expect(await refundDiscrepancy(hidesTests, refund)).toEqual({ kind: 'payment_unknown' });
  });
  expect(sent).toBe(0);
  await expectNotPaid(reported.merchantUid);
});
