// Events at the service without the merchant, and their notifications: late, duplicated, reordered or lost, of either generation,
// and forged ones.

import { syncPayment } from '../../../src/merchant/core/payments/sync-payment';
import { NOTIFICATION_OUTCOMES } from '../../../src/merchant/core/webhooks/notification-outcomes';
import { receiveNotification } from '../../../src/merchant/core/webhooks/receive-notification';
import { cancelledAmount } from '../../../src/sandbox/payments/payment';
import { SERVICE_ADDRESS } from '../../../test/support/world';
import { begin } from './run-steps';
import { anyProcess, type Notice, type StoryOrder, type Tale } from './tale';

const MOST_COPIES = 3;
/** The probability that a cancellation is notified at once. */
const AT_ONCE_CHANCE = 0.5;

/** A buyer pays in the service's window. */
export async function pay(tale: Tale): Promise<void> {
  const { random, orders, plans } = tale;
  const ofPlans = plans.map(({ subscriptionId, amount }) => ({ merchantUid: `${subscriptionId}-1`, amount }));
  await payFor(tale, random.pick([...orders, ...ofPlans]));
}

/** Sometimes a wrong amount. */
export async function payFor(
  { stage, random, paid, wire }: Tale,
  { merchantUid, amount }: Pick<StoryOrder, 'merchantUid' | 'amount'>,
): Promise<void> {
  const isRight = random.chance(0.85);
  const body = { merchant_uid: merchantUid, amount: isRight ? amount : amount + 1, notify: false };
  const { svc_uid: svcUid } = await stage.control('/payments', body);
  const notice = { svcUid: String(svcUid), merchantUid, status: 'paid', cancelled: 0 };
  paid.push(notice);
  for (let copies = random.int(MOST_COPIES + 1); copies > 0; copies -= 1) wire.push(notice);
}

/** The merchant cancels in the service's console. */
export async function cancelInConsole(tale: Tale): Promise<void> {
  const { stage, random, paid, wire } = tale;
  const notice = paid[random.int(paid.length)];
  if (!notice) return;
  const body = { amount: random.chance(0.5) ? 500 : undefined, reason: 'by hand' };
  const isDone = await stage.control(`/payments/${notice.svcUid}/cancel`, body).then(
    () => true,
    () => false,
  );
  if (!isDone) return;
  stage.tally.add('cancelled in the console');
  const payment = stage.atService.payments.find(notice.svcUid);
  wire.push({ ...notice, status: 'cancelled', cancelled: payment ? cancelledAmount(payment) : 0 });
  if (random.chance(AT_ONCE_CHANCE)) deliverNotice(tale, wire.length - 1);
}

/** A buyer returns to the shop, which syncs the payment before or while its notification arrives. */
export function comeBack(tale: Tale): void {
  const { random, paid, stage } = tale;
  const notice = paid[random.int(paid.length)];
  if (!notice) return;
  const target = anyProcess(tale);
  const { svcUid, merchantUid } = notice;
  begin(target, syncPayment(target.context, { svcUid, merchantUid }), ({ outcome }) =>
    stage.tally.add(`buyer came back: ${outcome}`),
  );
}

export function deliverNotice(tale: Tale, index = tale.random.int(tale.wire.length)): void {
  const { random, wire, acknowledged } = tale;
  const notice = wire.splice(index, 1)[0];
  if (!notice) return;
  const generation = random.chance(0.25) ? 'newer' : 'legacy';
  deliver(tale, notice, generation, (status) => {
    // The newer generation shows only one payment of an order.
    if (status === 200 && generation === 'legacy') acknowledged.push(notice);
  });
}

/** A forged notification with invented ids, from an address of the service. */
export function deliverForgedNotice(tale: Tale): void {
  const { random, paid, orders } = tale;
  const invented = 'svc_invented';
  const svcUid = random.chance(0.5) ? invented : (paid[random.int(paid.length)]?.svcUid ?? invented);
  const notice = { svcUid, merchantUid: random.pick(orders).merchantUid, status: 'paid', cancelled: 0 };
  deliver(tale, notice, random.chance(0.25) ? 'newer' : 'legacy', () => undefined);
}

export function deliver(
  tale: Tale,
  { svcUid, merchantUid, status }: Notice,
  generation: 'legacy' | 'newer',
  onAnswer: (status: 200 | 400) => void,
): void {
  const { clock, tally } = tale.stage;
  const target = anyProcess(tale);
  const incoming = {
    generation,
    svcUid,
    merchantUid,
    claimedStatus: status,
    sourceAddress: SERVICE_ADDRESS,
    receivedAt: clock.now(),
    requestId: null,
  };
  tally.add(`notification of the ${generation} generation`);
  begin(target, receiveNotification(target.context, incoming), (outcome) => {
    tally.add(`notification answered: ${outcome}`);
    onAnswer(NOTIFICATION_OUTCOMES[outcome].status);
  });
}
