// Before a card goes to the service: may it be tried now? A form that tells whether a card is good is a tool for those who
// test stolen ones (chapter K of docs/13-faults.md). Of these limits a key-in payment (§4.3) has that of a card alone
// (`charges/pay-onetime.ts`): the merchant's own systems send it, so that nothing is known of a browser.

import { networkOf } from '../../platform/address-list';
import { DAY_MS } from '../../platform/clock';
import type { Context } from '../../platform/context';
import { billingKeyCounters, countAttempt, type CountedBy } from '../billing-keys/limit-card';
import { countKeys } from './card-limit-store';
import { countTry, findMeasures, type Measures } from './watch-declines';

export type CardAttempt = {
  memberId: string;
  /** Of the browser, from `http/source-address.ts`. Null where it cannot be known: those count together. */
  address: string | null;
  cardNumber: string;
  /** False for a replacement, which makes no further key. */
  isNewCard: boolean;
  formAgeMs: number;
  /** Whether the post answers the shop's challenge (`shop/challenge.ts`). Asked only where one is due. */
  passesChallenge: () => Promise<boolean>;
};

/** Why no card is taken from this member now, whatever the card. */
export type FormRefusal =
  /** The member has as many cards as it can: it has to remove one. Waiting does not help. */
  | { kind: 'cards_held'; cardsHeld: number }
  /** Too many cards were registered today. */
  | { kind: 'too_many'; limit: 'member' | 'address' | 'card'; retryAfterSeconds: number }
  /** Too many cards from this network, or from those around it, were declined. */
  | { kind: 'network_waits'; retryAfterSeconds: number }
  /** A wave of declined cards has closed the form for everybody. */
  | { kind: 'form_closed'; retryAfterSeconds: number };

/** `too_soon`: nobody fills in a form so quickly. The form stays good. `challenge`: it was not passed. */
export type AttemptRefusal = FormRefusal | { kind: 'too_soon' | 'challenge' };

/**
 * Counts an attempt to issue a key (§4.2) before anything is written about it or sent. A form is for one attempt, which the
 * unique nonce of the issuance counts. Returns null if the attempt may be made: then `watchDeclines` has to be told of its
 * result.
 * @throws DatabaseError where it could not be counted: no count, no attempt
 */
export async function limitAttempt(context: Context, attempt: CardAttempt): Promise<AttemptRefusal | null> {
  const refusal = await findAttemptRefusal(context, attempt);
  if (refusal && refusal.kind !== 'form_closed')
    context.metrics.count(billingKeyCounters.cardLimits, { limit: limitOf(refusal) });
  return refusal;
}

/**
 * What can be said before a card is typed.
 * @param visitor `isNewCard`: false for a replacement
 */
export async function findFormRefusal(
  context: Context,
  { memberId, isNewCard }: Pick<CardAttempt, 'memberId' | 'isNewCard'>,
  measures: Measures,
): Promise<FormRefusal | null> {
  return refusalOf(measures) ?? (isNewCard ? findKeyRefusal(context, memberId) : null);
}

/** The name of a limit, for the log and the metrics. */
export function limitOf(refusal: Exclude<AttemptRefusal, { kind: 'form_closed' }>): string {
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

async function findAttemptRefusal(context: Context, attempt: CardAttempt): Promise<AttemptRefusal | null> {
  const { memberId, address, cardNumber, formAgeMs } = attempt;
  // A form from a process whose clock is ahead of ours may seem to come from the future: that is too soon, too.
  if (formAgeMs < context.config.cardLimits.formMinAgeMs) return { kind: 'too_soon' };
  const measures = await findMeasures(context, address);
  const formRefusal = await findFormRefusal(context, attempt, measures);
  if (formRefusal) return formRefusal;
  if (measures.asksChallenge && !(await attempt.passesChallenge())) return { kind: 'challenge' };
  // The narrowest first: what one member tries in vain is not counted against others behind its address.
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

/** The narrow measure first: the page of the network names a way out. */
function refusalOf({ network, everybody }: Measures): FormRefusal | null {
  if (network) return { kind: 'network_waits', retryAfterSeconds: network.retryAfterSeconds };
  return everybody && { kind: 'form_closed', retryAfterSeconds: everybody.retryAfterSeconds };
}

/** Two posts at one moment may both pass and make one card more than the limit; their attempts are counted exactly. */
async function findKeyRefusal(context: Context, memberId: string): Promise<FormRefusal | null> {
  const { cardsHeld, newCardsPerDay } = context.config.cardLimits;
  const nowMs = context.clock.now().getTime();
  const { held, registeredAt } = await countKeys(context, memberId, new Date(nowMs - DAY_MS));
  if (held >= cardsHeld) return { kind: 'cards_held', cardsHeld };
  // There is room again when this one is a day old: fewer than the limit came after it.
  const makesRoom = registeredAt.at(-newCardsPerDay);
  if (!makesRoom) return null;
  const retryAfterSeconds = Math.ceil((makesRoom.getTime() + DAY_MS - nowMs) / 1000);
  return { kind: 'too_many', limit: 'member', retryAfterSeconds };
}
