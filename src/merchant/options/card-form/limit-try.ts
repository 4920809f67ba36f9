// Limits card attempts before a card is sent to the service. A form that tells whether a card is valid can be used to
// test stolen cards (chapter K of docs/13-faults.md). Key-in payments (§4.3) share the limit per card, and have no other
// (`pay-onetime.ts`), because the merchant's own systems send them, without a browser.

import { countKeys } from '../../core/billing-keys/billing-key-store';
import { networkOf } from '../../platform/address-list';
import { DAY_MS, recentSpan } from '../../platform/clock';
import type { Context } from '../../platform/context';
import type { PageRequest } from '../../platform/http/page-request';
import { shopOf } from '../../platform/http/shop-files';
import { bucketOf, countTry, type Bucket } from '../../platform/limit-store';
import type { CounterRows } from '../../platform/metrics';
import { cardLimitsOf, isUnlimited } from './settings';
import { findMeasures, type Measures } from './watch-declines';

/** Tries that a limit prevented, in the card form and in key-in payments. */
export const cardTryCounters = {
  cardLimits: {
    name: 'merchant_card_limits_total',
    help: 'Tries of a card that a limit refused, by limit: member, address, card, all, form (too soon), cards_held, network, challenge.',
    labels: ['limit'],
  },
} as const satisfies CounterRows;

type CardTry = {
  /** The post, from the address that is limited. All unknown addresses count together. */
  request: PageRequest['request'];
  memberId: string;
  cardNumber: string;
  /** False for a replacement, which adds no key. */
  isNewCard: boolean;
  formAgeMs: number;
};

type CountedBy = 'member' | 'address' | 'card' | 'all';

/** Why no card is accepted from this member now. */
export type FormRefusal =
  /** The member has the maximum number of cards and has to remove one. Waiting does not help. */
  | { kind: 'cards_held'; cardsHeld: number }
  /** Too many attempts, or too many cards registered today. */
  | { kind: 'too_many'; limit: CountedBy; retryAfterSeconds: number }
  /** Too many cards from this network, or from the networks around it, were declined. */
  | { kind: 'network_waits'; retryAfterSeconds: number }
  /** Too many declined cards: the form is closed for everyone. */
  | { kind: 'form_closed'; retryAfterSeconds: number };

/** `too_soon`: faster than a person can fill in the form; the form stays valid. `challenge`: it was not passed. */
export type TryRefusal = FormRefusal | { kind: 'too_soon' | 'challenge' };

/**
 * Counts a try of a card before anything is written or sent. Each form allows one, enforced by the unique nonce of the
 * issuance.
 * @returns null if the card may be tried
 * @throws DatabaseError if it could not be counted; the card must then not be tried
 */
export async function limitTry(context: Context, attempt: CardTry): Promise<TryRefusal | null> {
  const refusal = await findTryRefusal(context, attempt);
  if (refusal && refusal.kind !== 'form_closed')
    context.metrics.count(cardTryCounters.cardLimits, { limit: limitOf(refusal) });
  return refusal;
}

/**
 * The refusals that are known before a card is typed.
 * @param visitor `isNewCard`: false for a replacement
 */
export async function findFormRefusal(
  context: Context,
  { memberId, isNewCard }: Pick<CardTry, 'memberId' | 'isNewCard'>,
  measures: Measures,
): Promise<FormRefusal | null> {
  return refusalOf(measures) ?? (isNewCard ? findKeyRefusal(context, memberId) : null);
}

/** The name of a limit in the log and the metrics. */
export function limitOf(refusal: Exclude<TryRefusal, { kind: 'form_closed' }>): string {
  switch (refusal.kind) {
    case 'too_many':
      return refusal.limit;
    case 'cards_held':
    case 'challenge':
      return refusal.kind;
    case 'network_waits':
      return 'network';
    case 'too_soon':
      return 'form';
  }
}

async function findTryRefusal(context: Context, attempt: CardTry): Promise<TryRefusal | null> {
  const { request, memberId, cardNumber, formAgeMs } = attempt;
  // If the clock of another process is ahead of ours, its forms may have a negative age. They are also too soon.
  if (formAgeMs < cardLimitsOf(context.config).formMinAgeMs) return { kind: 'too_soon' };
  if (isUnlimited(context, cardNumber)) return null;
  const measures = await findMeasures(context, request.source.client);
  const formRefusal = await findFormRefusal(context, attempt, measures);
  if (formRefusal) return formRefusal;
  if (measures.asksChallenge && !(await shopOf(request).passesChallenge(request, memberId)))
    return { kind: 'challenge' };
  const full = await countTry(context, bucketsOfTry(context, attempt));
  return full && { kind: 'too_many', limit: full.counts, retryAfterSeconds: full.retryAfterSeconds };
}

/** The narrowest first, because the first full one is reported. A refused try counts in none. */
function bucketsOfTry(
  context: Context,
  { request, memberId, cardNumber }: CardTry,
): (Bucket & { counts: CountedBy })[] {
  const network = networkOf(request.source.client);
  const { member, memberDaily, address, all } = cardLimitsOf(context.config);
  return [
    { counts: 'member', ...bucketOf(context, 'tries-member', member, memberId) },
    { counts: 'member', ...bucketOf(context, 'tries-member-daily', memberDaily, memberId) },
    { counts: 'address', ...bucketOf(context, 'tries-address', address, network) },
    { counts: 'card', ...cardBucket(context, cardNumber) },
    { counts: 'all', ...bucketOf(context, 'tries-all', all, 'all') },
  ];
}

/**
 * The tries of one card, by form and key-in payments together: only two digits of the password are asked for, so a hundred
 * tries would find them (K4 of docs/13-faults.md).
 */
export const cardBucket = (context: Pick<Context, 'config'>, cardNumber: string): Bucket =>
  bucketOf(context, 'tries-card', cardLimitsOf(context.config).card, cardNumber);

/** The network's measure comes first, because its page offers a way out. */
function refusalOf({ network, everybody }: Measures): FormRefusal | null {
  if (network) return { kind: 'network_waits', retryAfterSeconds: network.retryAfterSeconds };
  return everybody && { kind: 'form_closed', retryAfterSeconds: everybody.retryAfterSeconds };
}

/** Two posts at the same moment may both pass, and exceed the limit by one card. Their attempts are counted exactly. */
async function findKeyRefusal(context: Context, memberId: string): Promise<FormRefusal | null> {
  const { cardsHeld, newCardsPerDay } = cardLimitsOf(context.config);
  const now = context.clock.now();
  const { held, registeredAt } = await countKeys(context, memberId, recentSpan(DAY_MS, now));
  if (held >= cardsHeld) return { kind: 'cards_held', cardsHeld };
  // When this card is a day old, fewer cards than the limit remain in the window.
  const makesRoom = registeredAt.at(-newCardsPerDay);
  if (!makesRoom) return null;
  const retryAfterSeconds = Math.ceil((makesRoom.getTime() + DAY_MS - now.getTime()) / 1000);
  return { kind: 'too_many', limit: 'member', retryAfterSeconds };
}
