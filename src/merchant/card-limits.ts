// How many cards may be tried with the card form, by whom and in what time, so that nobody tests stolen cards with it. The
// numbers are ours (§4.2 shows none) and a shop's to change. `cards/limit-attempt.ts` applies them.

/** So many attempts in so many seconds. A window begins with its first attempt. */
export type AttemptLimit = { attempts: number; seconds: number };

export type CardLimits = {
  /** A mistyped card and a second and third try are normal. */
  member: AttemptLimit;
  /** For one who waits each time until the window is over. */
  memberDaily: AttemptLimit;
  /**
   * An IPv4 address, or a /64 of IPv6: a home or an office. Behind one IPv4 address of a mobile network are many people: a
   * shop with very many members may need more.
   */
  address: AttemptLimit;
  /** One card number, whoever types it. The password has two digits that are asked for: a hundred tries find them. */
  card: AttemptLimit;
  /** Cards that a member registers in 24 hours, also those that it removes again. */
  newCardsPerDay: number;
  /** Cards that a member has at one time. */
  cardsHeld: number;
  /** A form that comes back sooner was not filled in by hand. Zero: any. */
  formMinAgeMs: number;
  /**
   * The wave that closes the form for everybody: this many results in so many seconds over all processes, with a greater
   * part of them declined.
   */
  wave: { results: number; seconds: number; declinedPart: number; closedSeconds: number };
};

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const CARD_LIMITS: CardLimits = {
  member: { attempts: 5, seconds: 10 * MINUTE },
  memberDaily: { attempts: 20, seconds: DAY },
  address: { attempts: 20, seconds: HOUR },
  card: { attempts: 5, seconds: DAY },
  newCardsPerDay: 5,
  cardsHeld: 10,
  formMinAgeMs: 2000,
  wave: { results: 30, seconds: 5 * MINUTE, declinedPart: 0.7, closedSeconds: 10 * MINUTE },
};
