// One story: some days of a shop in minutes. Chance decides what members, operators and the service do, which messages
// are lost, doubled or forged, in which order the steps of two processes happen, and when one is killed. After it,
// everything works again, and time passes until nothing is left to do.

import { findKey } from '../../src/merchant/billing-keys/billing-key-store';
import { registerCard } from '../../src/merchant/cards/register-card';
import { removeCard } from '../../src/merchant/cards/remove-card';
import { chargeOrder } from '../../src/merchant/charges/charge-order';
import type { Context } from '../../src/merchant/context';
import { deliverEvents } from '../../src/merchant/events/deliver-events';
import type { ShopEvent } from '../../src/merchant/events/event';
import type { JobName } from '../../src/merchant/jobs';
import { insertOrder } from '../../src/merchant/orders/order-store';
import { reconcile } from '../../src/merchant/reconciliation/reconcile';
import { refundPayment } from '../../src/merchant/refunds/refund-payment';
import { tasksOf } from '../../src/merchant/tasks';
import { receiveNotification } from '../../src/merchant/webhooks/receive-notification';
import { CARD_INPUT, CARD_WITH_LOST_ANSWER, DECLINED_CARD } from '../support/cards';
import { SERVICE_ADDRESS } from '../support/world';
import type { Random } from './random';
import { begin, runSteps } from './run-steps';
import { startProcess, type SimulatedProcess } from './simulated-process';
import type { Stage } from './stage';

export type Story = {
  orders: readonly { merchantUid: string; amount: number }[];
  keys: readonly string[];
  /** Genuine notifications that were answered 200, in the order of the answers. */
  acknowledged: readonly { svcUid: string; merchantUid: string }[];
  /** What the shop was told, in that order. */
  told: readonly ShopEvent[];
  trace: readonly string[];
};

type Notice = { svcUid: string; merchantUid: string; status: string };

const ORDERS = 3;
const MEMBERS = ['member-1', 'member-2'];
const ACTIONS = 14;
/** Between two steps, while both wait. */
const ACTION_CHANCE = 0.15;
const KILL_CHANCE = 0.03;
const FAULTS = 0.2;
const EVERY_MINUTE: readonly JobName[] = [
  'retry-due-notifications',
  'recover-unresolved-attempts',
  'recover-removals',
];
/** Minutes that pass in the end, one after the other: the longest wait of any row is shorter than all of them. */
const LATER_MINUTES = [1, 2, 5, 15, 60, 6 * 60, 24 * 60, 24 * 60];

export async function tellStory(stage: Stage, random: Random): Promise<Story> {
  const { clock, jobs, network, sandbox } = stage;
  const told: ShopEvent[] = [];
  const trace: string[] = [];
  const acknowledged: { svcUid: string; merchantUid: string }[] = [];
  const wire: Notice[] = [];
  const paid: Notice[] = [];
  const keys = new Set<string>();
  const orders = Array.from({ length: ORDERS }, (_, index) => ({
    merchantUid: `order-${index + 1}`,
    amount: 1_000 * (index + 1),
    memberId: index === 0 ? null : (MEMBERS[index - 1] ?? null),
  }));
  const processes: SimulatedProcess[] = [startProcess(stage), startProcess(stage)];
  for (const order of orders) await insertOrder(stage.outside, { ...order, name: 'Tea', currency: 'KRW' });

  const actions: readonly (readonly [weight: number, name: string, act: () => Promise<void> | void])[] = [
    [4, 'pay', pay],
    [8, 'notify', notify],
    [1, 'forge', forge],
    [1, 'cancel', cancel],
    [3, 'register', register],
    [3, 'charge', charge],
    [2, 'refund', refund],
    [1, 'remove', remove],
    [4, 'minute', minute],
    [2, 'wait', () => clock.advance(random.pick([1, 6, 20, 90]))],
    [1, 'reconcile', () => begin(anyProcess(), reconcile(anyProcess().context))],
  ];

  network.setFaults(FAULTS);
  let actionsLeft = ACTIONS;
  await runSteps(
    () => processes,
    random,
    async (waiting) => {
      if (waiting > 0 && random.chance(KILL_CHANCE)) {
        kill(random.int(processes.length));
        return true;
      }
      if (actionsLeft === 0 || (waiting > 0 && !random.chance(ACTION_CHANCE))) return false;
      actionsLeft -= 1;
      const [name, act] = random.weighted(actions.map(([weight, ...action]) => [weight, action] as const));
      trace.push(name);
      await act();
      return true;
    },
  );
  await endWell();
  return { orders, keys: [...keys], acknowledged, told, trace };

  function anyProcess(): SimulatedProcess {
    return random.pick(processes);
  }

  function kill(index: number): void {
    trace.push(`kill ${index}`);
    processes[index]?.steps.kill();
    processes[index] = startProcess(stage);
  }

  async function pay(): Promise<void> {
    const { merchantUid, amount } = random.pick(orders);
    const body = {
      merchant_uid: merchantUid,
      amount: random.chance(0.85) ? amount : amount + 1,
      notify: false,
    };
    const { svc_uid: svcUid } = await sandbox.call('POST', '/payments', body);
    const notice = { svcUid: String(svcUid), merchantUid, status: 'paid' };
    paid.push(notice);
    for (let copies = random.int(4); copies > 0; copies -= 1) wire.push(notice);
  }

  function notify(): void {
    const notice = wire.splice(random.int(wire.length), 1)[0];
    if (notice) deliver(notice, () => acknowledged.push(notice));
  }

  function forge(): void {
    const svcUid = random.chance(0.5)
      ? 'svc_invented'
      : (paid[random.int(paid.length)]?.svcUid ?? 'svc_invented');
    deliver({ svcUid, merchantUid: random.pick(orders).merchantUid, status: 'paid' });
  }

  function deliver({ svcUid, merchantUid, status }: Notice, onAnswer: () => void = () => undefined): void {
    const target = anyProcess();
    const incoming = {
      generation: 'legacy' as const,
      svcUid,
      merchantUid,
      claimedStatus: status,
      sourceAddress: SERVICE_ADDRESS,
      receivedAt: clock.now(),
      requestId: null,
    };
    begin(target, receiveNotification(target.context, incoming), onAnswer);
  }

  async function cancel(): Promise<void> {
    const notice = paid[random.int(paid.length)];
    if (!notice) return;
    const body = { amount: random.chance(0.5) ? 500 : undefined, reason: 'by hand' };
    await sandbox.call('POST', `/payments/${notice.svcUid}/cancel`, body).catch(() => undefined);
    wire.push({ ...notice, status: 'cancelled' });
  }

  function register(): void {
    const memberId = random.pick(MEMBERS);
    const known = [...keys].filter((key) => key.startsWith(memberId));
    const replacesKey = known.length > 0 && random.chance(0.3);
    const customerUid = replacesKey ? random.pick(known) : `${memberId}-key-${keys.size + 1}`;
    keys.add(customerUid);
    const cardNumber = random.weighted([
      [6, CARD_INPUT.cardNumber],
      [1, CARD_WITH_LOST_ANSWER],
      [1, DECLINED_CARD],
    ]);
    const target = anyProcess();
    const consent = { termsVersion: '1', privacyVersion: '1' };
    const formNonce = `nonce-${trace.length}`;
    const card = { ...CARD_INPUT, cardNumber };
    begin(
      target,
      registerCard(target.context, { customerUid, memberId, formNonce, replacesKey, consent, card }),
    );
  }

  function charge(): void {
    const { merchantUid, memberId } = random.pick(orders);
    const known = [...keys].filter((key) => memberId === null || key.startsWith(memberId));
    if (known.length === 0) return;
    const target = anyProcess();
    begin(target, chargeOrder(target.context, { merchantUid, customerUid: random.pick(known) }));
  }

  function refund(): void {
    const target = anyProcess();
    begin(target, refundSome(target.context));
  }

  async function refundSome(context: Context): Promise<void> {
    const rows = await stage.rows.query<{ svc_uid: string }>('select svc_uid from payments order by svc_uid');
    if (rows.length === 0) return;
    const { svc_uid: svcUid } = random.pick(rows);
    const amount = random.chance(0.5) ? 300 : null;
    await refundPayment(context, { svcUid, amount, reason: 'refund', checksum: null, refundAccount: null });
  }

  function remove(): void {
    const key = [...keys][random.int(keys.size)];
    const target = anyProcess();
    if (key !== undefined) begin(target, removeIfThere(target.context, key));
  }

  function minute(): void {
    const target = anyProcess();
    const tasks = { ...tasksOf(target.context), 'deliver-events': deliverTo(target.context) };
    for (const name of EVERY_MINUTE) begin(target, tasks[name]({}, NEVER));
    begin(target, tasks['deliver-events']());
    for (const { name, payload } of jobs.takeDue(clock.now())) begin(target, tasks[name](payload, NEVER));
  }

  function deliverTo(context: Context) {
    const handler = (event: ShopEvent) => {
      told.push(event);
      return Promise.resolve();
    };
    return () => deliverEvents(context, handler);
  }

  /** The service works, nobody is killed, and nobody does anything new. */
  async function endWell(): Promise<void> {
    network.setFaults(0);
    for (const minutes of LATER_MINUTES) {
      clock.advance(minutes * 60);
      await sandbox.advance(0);
      minute();
      await runSteps(
        () => processes,
        random,
        () => Promise.resolve(false),
      );
    }
  }
}

const NEVER = new AbortController().signal;

async function removeIfThere(context: Context, customerUid: string): Promise<void> {
  const key = await findKey(context, customerUid);
  if (key) await removeCard(context, key);
}
