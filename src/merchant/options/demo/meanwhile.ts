// What happened to a plan while a person moved the clock: its payments, their notifications and events, oldest first, each with
// the page that shows more.

import { byTime, readChain } from '../../core/payments/payment-chain';
import type { Context } from '../../platform/context';
import type { toldOf } from './demo-shop';
import { findPaymentsOf } from './demo-store';
import { isTravelling } from './travel';

type Told = Awaited<ReturnType<typeof toldOf>>[number];
type Cycle = { cycle: number; merchantUid: string };

/** Null if nobody has moved the clock forward. */
export async function findMeanwhile(
  context: Context,
  {
    cycles,
    told,
    inConsole,
  }: { cycles: readonly Cycle[]; told: readonly Told[]; inConsole(q: string): string },
) {
  const since = isTravelling(context.clock) ? context.clock.movedFrom() : null;
  if (since === null) return null;
  const payments = await findPaymentsOf(
    context,
    cycles.map(({ merchantUid }) => merchantUid),
  );
  const chains = await Promise.all(
    payments.map(async ({ svcUid }) => {
      const { moments } = await readChain(context, { merchantUid: null, svcUids: [svcUid] });
      return moments
        .filter(({ what }) => what === 'notification')
        .map(({ at, status }) => ({ at, what: 'notification' as const, status, svcUid }));
    }),
  );
  const cycleOf = (uid: string) => cycles.find(({ merchantUid }) => merchantUid === uid)?.cycle ?? null;
  const rows = [
    ...payments.map(({ svcUid, merchantUid, status, paidAt, failedAt, createdAt }) => ({
      at: paidAt ?? failedAt ?? createdAt,
      what: 'payment' as const,
      name: String(cycleOf(merchantUid)),
      status: String(status),
      href: inConsole(svcUid),
    })),
    ...chains.flat().map(({ at, what, status, svcUid }) => ({
      at,
      what,
      name: '',
      status: status ?? 'queued',
      href: `/operator/payments/${encodeURIComponent(svcUid)}`,
    })),
    ...told.map(({ timestamp, type, isTold, id }) => ({
      at: new Date(timestamp),
      what: 'event' as const,
      name: type,
      status: isTold ? 'delivered' : 'waiting',
      href: `#${id}`,
    })),
  ];
  return { since, rows: byTime(rows.filter(({ at }) => at > since)) };
}
