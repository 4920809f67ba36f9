// Limits card attempts before a card is sent to the service. A form that tells whether a card is valid can be used to
// test stolen cards (chapter K of docs/13-faults.md). Key-in payments (§4.3) have only the limit per card
// (`charges/pay-onetime.ts`), because the merchant's own systems send them, without a browser.

import { networkOf } from '../../platform/address-list';
import { DAY_MS, recentSpan } from '../../platform/clock';
import type { Context } from '../../platform/context';
import { countKeys } from '../billing-keys/billing-key-store';
import { cardTryCounters, countAttempt, isUnlimited, type CountedBy } from './limit-card';
import { countTry, findMeasures, type Measures } from './watch-declines';

type CardTry = {
  memberId: string;
  /** The browser's address, from `http/source-address.ts`. Null if unknown; all unknown addresses count together. */
  address: string | null;
  cardNumber: string;
  /** False for a replacement, which adds no key. */
  isNewCard: boolean;
  formAgeMs: number;
  /** Whether the post passes the shop's challenge (`shop/challenge.ts`). Called only if a challenge is required. */
  passesChallenge: () => Promise<boolean>;
};

/** Why no card is accepted from this member now. */
export type FormRefusal =
  /** The member has the maximum number of cards and has to remove one. Waiting does not help. */
  | { kind: 'cards_held'; cardsHeld: number }
  /** Too many attempts, or too many cards registered today. */
  | { kind: 'too_many'; limit: 'member' | 'address' | 'card'; retryAfterSeconds: number }
  /** Too many cards from this network, or from the networks around it, were declined. */
  | { kind: 'network_waits'; retryAfterSeconds: number }
  /** Too many declined cards: the form is closed for everyone. */
  | { kind: 'form_closed'; retryAfterSeconds: number };

/** `too_soon`: faster than a person can fill in the form; the form stays valid. `challenge`: it was not passed. */
export type TryRefusal = FormRefusal | { kind: 'too_soon' | 'challenge' };

/**
 * Counts an attempt to issue a key (§4.2) before anything is written or sent. Each form allows one attempt, enforced by
 * the unique nonce of the issuance. Returns null if the attempt is allowed; the caller must then pass its result to
 * `watchDeclines`.
 * @throws DatabaseError if it could not be counted; the attempt must then not be made
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
  const { memberId, address, cardNumber, formAgeMs } = attempt;
  // If the clock of another process is ahead of ours, its forms may have a negative age. They are also too soon.
  if (formAgeMs < context.config.cardLimits.formMinAgeMs) return { kind: 'too_soon' };
  if (isUnlimited(context, cardNumber)) return null;
  const measures = await findMeasures(context, address);
  const formRefusal = await findFormRefusal(context, attempt, measures);
  if (formRefusal) return formRefusal;
  if (measures.asksChallenge && !(await attempt.passesChallenge())) return { kind: 'challenge' };
  // The narrowest limit first, so that a member's refused attempts do not count against others at the same address.
  const counts: [CountedBy, 'member' | 'address' | 'card', string][] = [
    ['member', 'member', memberId],
    ['memberDaily', 'member', memberId],
    ['address', 'address', address === null ? 'unknown' : networkOf(address)],
    ['card', 'card', cardNumber],
  ];
  for (const [by, limit, whose] of counts) {
    const retryAfterSeconds = await countAttempt(context, by, whose);
    if (retryAfterSeconds !== null) return { kind: 'too_many', limit, retryAfterSeconds };
  }
  const refusedTry = await countTry(context, address, measures);
  return refusedTry && refusalOf(refusedTry);
}

/** The network's measure comes first, because its page offers a way out. */
function refusalOf({ network, everybody }: Measures): FormRefusal | null {
  if (network) return { kind: 'network_waits', retryAfterSeconds: network.retryAfterSeconds };
  return everybody && { kind: 'form_closed', retryAfterSeconds: everybody.retryAfterSeconds };
}

/** Two posts at the same moment may both pass, and exceed the limit by one card. Their attempts are counted exactly. */
async function findKeyRefusal(context: Context, memberId: string): Promise<FormRefusal | null> {
  const { cardsHeld, newCardsPerDay } = context.config.cardLimits;
  const now = context.clock.now();
  const { held, registeredAt } = await countKeys(context, memberId, recentSpan(DAY_MS, now));
  if (held >= cardsHeld) return { kind: 'cards_held', cardsHeld };
  // When this card is a day old, fewer cards than the limit remain in the window.
  const makesRoom = registeredAt.at(-newCardsPerDay);
  if (!makesRoom) return null;
  const retryAfterSeconds = Math.ceil((makesRoom.getTime() + DAY_MS - now.getTime()) / 1000);
  return { kind: 'too_many', limit: 'member', retryAfterSeconds };
}
