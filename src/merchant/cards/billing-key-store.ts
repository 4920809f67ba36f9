// Which member holds which billing key, and every attempt to issue one. The only file that touches these two tables.
// Each function is one statement to Prisma: what it nests is one transaction.

import { Prisma, type BillingKeyStatus, type IssuanceStatus } from '../../generated/prisma/client';
import type { Database } from '../database';
import type { BillingKeyRecord } from '../payment-service/records';

export type BillingKeyStore = ReturnType<typeof createBillingKeyStore>;

export type NewIssuance = {
  customerUid: string;
  memberId: string;
  formNonce: string;
  /** The card goes to a key that this customer_uid holds already (§1). */
  replacesKey: boolean;
  cardLastFour: string;
  consent: { termsVersion: string; privacyVersion: string };
};

export type StartedIssuance = {
  id: bigint;
  replacesKey: boolean;
  cardLastFour: string;
  /** `updated` at the service as it was before this issuance; null where it was never seen. */
  knownUpdatedAt: Date | null;
};

export type OpenIssuance = StartedIssuance & {
  customerUid: string;
  reason: string | null;
  lookups: number;
  misses: number;
  startedAt: Date;
};

const OPEN: IssuanceStatus[] = ['pending', 'unknown'];
/** A key that can take another card: there is one at the service. */
const REPLACEABLE: BillingKeyStatus[] = ['active', 'needs_review'];
/** What a member sees of its cards. */
const LISTED: BillingKeyStatus[] = ['pending', 'active', 'needs_review', 'removing'];

export function createBillingKeyStore(database: Database) {
  return {
    /**
     * Notes an issuance before it is asked for, with the key row where the customer_uid is new.
     * `in_use`: the form was sent before, or another issuance of this customer_uid is not settled.
     * `no_key`: there is nothing to replace.
     */
    async startIssuance(issuance: NewIssuance, at: Date): Promise<StartedIssuance | 'in_use' | 'no_key'> {
      const { customerUid, memberId, formNonce, replacesKey, cardLastFour } = issuance;
      const issuances = { create: issuanceRow(issuance, at) };
      const select = {
        serviceUpdatedAt: true,
        issuances: { where: { formNonce }, select: { id: true } },
      };
      try {
        const key = replacesKey
          ? await database.billingKey.update({
              where: { customerUid, memberId, status: { in: REPLACEABLE } },
              data: { updatedAt: at, issuances },
              select,
            })
          : await database.billingKey.create({
              data: { customerUid, memberId, status: 'pending', createdAt: at, updatedAt: at, issuances },
              select,
            });
        const [started] = key.issuances;
        if (!started) return 'in_use';
        return { id: started.id, replacesKey, cardLastFour, knownUpdatedAt: toDate(key.serviceUpdatedAt) };
      } catch (error) {
        if (hasCode(error, 'P2002')) return 'in_use';
        if (hasCode(error, 'P2025')) return 'no_key';
        throw error;
      }
    },

    /** The service holds the card that was sent. */
    markIssued: (id: bigint, record: BillingKeyRecord, at: Date) =>
      settle(id, { status: 'issued', resolvedAt: at, reason: null }, { ...activeKey(record), updatedAt: at }),

    /** Nothing was issued: a first key has failed, a key that was to be replaced stays as it is. */
    markDeclined: (issuance: { id: bigint; replacesKey: boolean }, reason: string, at: Date) =>
      settle(
        issuance.id,
        { status: 'declined', resolvedAt: at, reason: reason.slice(0, 200) },
        issuance.replacesKey ? undefined : { status: 'failed', updatedAt: at },
      ),

    /** The service holds something else than what was sent: a person has to look. */
    markNeedsReview: (id: bigint, reason: string, at: Date) =>
      settle(
        id,
        { status: 'needs_review', resolvedAt: at, reason },
        { status: 'needs_review', updatedAt: at },
      ),

    /** The answer was lost; the key stays as it is until §4.7 tells. */
    markUnknown: (id: bigint, reason: string) => settle(id, { status: 'unknown', reason }),

    /** One more look at §4.7 that settled nothing; a miss is a look that found no such key. */
    noteLookup: (id: bigint, missed: boolean) =>
      settle(id, { lookups: { increment: 1 }, misses: { increment: missed ? 1 : 0 } }),

    /** The issuance while its outcome is open; null once it is settled. */
    async findOpenIssuance(id: bigint): Promise<OpenIssuance | null> {
      const row = await database.billingKeyIssuance.findFirst({
        where: { id, status: { in: OPEN } },
        include: { billingKey: { select: { serviceUpdatedAt: true } } },
      });
      return row && { ...row, knownUpdatedAt: toDate(row.billingKey.serviceUpdatedAt) };
    },

    /** Every issuance whose caller is gone: of unknown outcome, or begun before `startedBefore` and still pending. */
    async findUnresolvedIssuances(startedBefore: Date): Promise<bigint[]> {
      const rows = await database.billingKeyIssuance.findMany({
        where: { OR: [{ status: 'unknown' }, { status: 'pending', startedAt: { lt: startedBefore } }] },
        select: { id: true },
        orderBy: { id: 'asc' },
      });
      return rows.map(({ id }) => id);
    },

    /** The member's cards, the newest first, each with its latest issuance. */
    findCards: (memberId: string) =>
      database.billingKey.findMany({
        where: { memberId, status: { in: LISTED } },
        orderBy: [{ createdAt: 'desc' }, { customerUid: 'asc' }],
        include: { issuances: { orderBy: { startedAt: 'desc' }, take: 1 } },
      }),

    /** The key of a customer_uid, whoever holds it; null where there is none. */
    findKey: (customerUid: string) => database.billingKey.findUnique({ where: { customerUid } }),

    /**
     * Takes a key out of use before it is deleted at the service. False where a card is on its way to it, or where the
     * row has changed since it was read: every issuance moves `updatedAt`.
     */
    async startRemoval({ customerUid, status, updatedAt }: KeyAsRead, at: Date): Promise<boolean> {
      const { count } = await database.billingKey.updateMany({
        where: { customerUid, status, updatedAt, issuances: { none: { status: { in: OPEN } } } },
        data: { status: 'removing', updatedAt: at },
      });
      return count === 1;
    },

    /** The removal is done, or did not happen and the key is what it was. */
    async endRemoval(customerUid: string, status: BillingKeyStatus, at: Date): Promise<void> {
      await database.billingKey.updateMany({
        where: { customerUid, status: 'removing' },
        data: { status, updatedAt: at },
      });
    },
  };

  /** Writes the outcome and what it means for the key, unless somebody else has settled it already. */
  async function settle(
    id: bigint,
    outcome: Prisma.BillingKeyIssuanceUpdateInput,
    key?: Prisma.BillingKeyUpdateInput,
  ): Promise<void> {
    try {
      await database.billingKeyIssuance.update({
        where: { id, status: { in: OPEN } },
        data: key ? { ...outcome, billingKey: { update: key } } : outcome,
        select: { id: true },
      });
    } catch (error) {
      if (!hasCode(error, 'P2025')) throw error;
    }
  }
}

/** What has to be unchanged for a removal to begin. */
export type KeyAsRead = { customerUid: string; status: BillingKeyStatus; updatedAt: Date };

/** A card as `findCards` lists it. */
export type ListedCard = Awaited<ReturnType<BillingKeyStore['findCards']>>[number];

function issuanceRow(issuance: NewIssuance, at: Date) {
  const { formNonce, replacesKey, cardLastFour, consent } = issuance;
  return {
    formNonce,
    replacesKey,
    cardLastFour,
    ...consent,
    consentedAt: at,
    startedAt: at,
    status: 'pending' as const,
  };
}

/** The card as the service shows it (§2.3): masked, and bounded like the columns, by the client. */
function activeKey(record: BillingKeyRecord) {
  const { cardNumber, cardName, cardCode, cardType, pgProvider, updatedAt } = record;
  const serviceUpdatedAt = updatedAt && BigInt(updatedAt.getTime()) / 1000n;
  return {
    status: 'active' as const,
    cardNumber,
    cardName,
    cardCode,
    cardType,
    pgProvider,
    serviceUpdatedAt,
  };
}

/** UNIX seconds of the service's clock. */
function toDate(seconds: bigint | null): Date | null {
  return seconds === null ? null : new Date(Number(seconds) * 1000);
}

function hasCode(error: unknown, code: 'P2002' | 'P2025'): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === code;
}
