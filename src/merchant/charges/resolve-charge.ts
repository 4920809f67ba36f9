// Finds out what became of a charge whose outcome is open, by asking the service. It never sends a charge.
// Until it is settled nobody can charge that order again.

import type { Clock } from '../clock';
import { ServiceFault } from '../errors';
import type { ScheduleJob } from '../jobs';
import type { Logger } from '../logger';
import type { ChargeStore, OpenCharge } from './charge-store';
import { hasLookedEnough, nextLookAt } from '../lookup-plan';
import type { SettleCharge } from './settle-charge';

/** What one look at the service shows of a charge. */
export type Sighting =
  /** The payment that came of it. */
  | { kind: 'payment'; svcUid: string }
  /** It waits for its time. */
  | { kind: 'planned' }
  | { kind: 'revoked' }
  | { kind: 'nothing' }
  /** Something is there that is not known to be ours and that may still take the money. */
  | { kind: 'something_else' };

/** @throws ServiceFault where the service could not be asked */
export type LookForCharge = (charge: OpenCharge) => Promise<Sighting>;

export type Resolution = { done: true } | { done: false; againAt: Date };
export type ResolveCharge = (id: string) => Promise<Resolution>;

type Dependencies = {
  store: ChargeStore;
  look: LookForCharge;
  settleCharge: SettleCharge;
  clock: Clock;
  logger: Logger;
};

const DONE: Resolution = { done: true };

/** @throws DatabaseFault; the caller tries the job again. A service that does not answer is asked again later. */
export function createResolveCharge({
  store,
  look,
  settleCharge,
  clock,
  logger,
}: Dependencies): ResolveCharge {
  return async function resolveCharge(id) {
    const charge = await store.findOpenCharge(id);
    if (!charge) return DONE;
    const sighting = await see(charge);
    switch (sighting?.kind) {
      case 'payment': {
        const { kind } = await settleCharge(charge, sighting.svcUid);
        return kind === 'unknown' ? again(charge, false) : settled(charge, kind);
      }
      case 'planned':
        if (charge.status === 'planned') return again(charge, false);
        await store.markPlanned(id);
        return settled(charge, 'planned');
      case 'revoked':
        await store.settleCharge(id, 'revoked', clock.now());
        return settled(charge, 'revoked');
      case 'nothing':
      case 'something_else':
        return missed(charge, sighting.kind);
      case undefined:
        return again(charge, false);
    }
  };

  async function see(charge: OpenCharge): Promise<Sighting | null> {
    if (charge.svcUid !== null) return { kind: 'payment', svcUid: charge.svcUid };
    try {
      return await look(charge);
    } catch (error) {
      if (error instanceof ServiceFault) return null;
      throw error;
    }
  }

  async function missed(charge: OpenCharge, seen: 'nothing' | 'something_else'): Promise<Resolution> {
    if (!hasLookedEnough(charge, clock.now())) return again(charge, true);
    // A schedule that the service held and holds no more is not for a program to decide.
    const neverThere = seen === 'nothing' && charge.status !== 'planned';
    const status = neverThere ? 'not_executed' : 'needs_review';
    await store.settleCharge(charge.id, status, clock.now(), { reason: seen });
    return settled(charge, status);
  }

  async function again(charge: OpenCharge, missed: boolean): Promise<Resolution> {
    await store.noteLookup(charge.id, missed);
    return { done: false, againAt: nextLookAt(charge.lookups, clock.now()) };
  }

  function settled({ id, merchantUid, kind }: OpenCharge, outcome: string): Resolution {
    logger.info({ event: 'charge_resolved', charge: id, merchant_uid: merchantUid, kind, outcome });
    return DONE;
  }
}

/** Plans one look; of several for one charge, one waits. */
export function scheduleLook(schedule: ScheduleJob, id: string, runAt: Date): Promise<void> {
  return schedule('resolve-charge', { chargeId: id }, { key: `resolve-charge-${id}`, runAt });
}
