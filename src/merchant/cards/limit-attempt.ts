// Before a card goes to the service: may it be tried now? A form that tells whether a card is good is a tool for those who
// test stolen ones (chapter K of docs/faults.md). The JSON API's key-in payment (§4.3) is not limited: the merchant's own
// systems call it, with the merchant's key.

import { networkOf } from '../address-list';
import type { Context } from '../context';
import { countAttempt, countKeys, findClosure, type CountedBy } from './card-limit-store';

export type CardAttempt = {
  memberId: string;
  /** Of the browser, from `http/source-address.ts`. Null where it cannot be known: those count together. */
  address: string | null;
  cardNumber: string;
  /** False for a replacement, which makes no further key. */
  isNewCard: boolean;
  formAgeMs: number;
};

/** Why no card is taken from this member now, whatever the card. */
export type FormRefusal =
  /** The member has as many cards as it can: it has to remove one. Waiting does not help. */
  | { kind: 'cards_held'; cardsHeld: number }
  /** Too many cards were registered today. */
  | { kind: 'too_many'; limit: 'member' | 'address' | 'card'; retryAfterSeconds: number }
  /** A wave of declined cards has closed the form for everybody. */
  | { kind: 'form_closed'; retryAfterSeconds: number };

/** `too_soon`: nobody fills in a form so quickly. The form stays good. */
export type AttemptRefusal = FormRefusal | { kind: 'too_soon' };

/**
 * Counts an attempt to issue a key (§4.2) before anything is written about it or sent. A form is for one attempt, which the
 * unique nonce of the issuance counts. Returns null if the attempt may be made.
 * @throws DatabaseError where it could not be counted: no count, no attempt
 */
export async function limitAttempt(context: Context, attempt: CardAttempt): Promise<AttemptRefusal | null> {
  const refusal = await findAttemptRefusal(context, attempt);
  if (refusal && refusal.kind !== 'form_closed') context.metrics.cardLimits.inc({ limit: limitOf(refusal) });
  return refusal;
}

/**
 * What can be said before a card is typed.
 * @param isNewCard false for a replacement
 */
export async function findFormRefusal(
  context: Context,
  { memberId, isNewCard }: Pick<CardAttempt, 'memberId' | 'isNewCard'>,
): Promise<FormRefusal | null> {
  const closedSeconds = await findClosure(context);
  if (closedSeconds !== null) return { kind: 'form_closed', retryAfterSeconds: closedSeconds };
  return isNewCard ? findKeyRefusal(context, memberId) : null;
}

/** The name of a limit, for the log and the metrics. */
export function limitOf(refusal: Exclude<AttemptRefusal, { kind: 'form_closed' }>): string {
  switch (refusal.kind) {
    case 'too_many':
      return refusal.limit;
    case 'cards_held':
      return 'cards_held';
    case 'too_soon':
      return 'form';
  }
}

async function findAttemptRefusal(context: Context, attempt: CardAttempt): Promise<AttemptRefusal | null> {
  const { memberId, address, cardNumber, formAgeMs } = attempt;
  // A form from a process whose clock is ahead of ours may seem to come from the future: that is too soon, too.
  if (formAgeMs < context.config.cardLimits.formMinAgeMs) return { kind: 'too_soon' };
  const formRefusal = await findFormRefusal(context, attempt);
  if (formRefusal) return formRefusal;
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
  return null;
}

const DAY_MS = 24 * 3600 * 1000;

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
