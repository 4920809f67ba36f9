// How many cards may be tried with the card form, by whom and in what time, so that nobody tests stolen cards with it. The
// numbers are ours (§4.2 shows none) and a shop's to change. `cards/limit-attempt.ts` applies them;
// test/merchant/platform/card-limits.test.ts calculates what they leave to somebody who tests cards. Below them: how often visitors of
// the return page may make us call the payment service.

/** So many attempts in so many seconds. */
export type AttemptLimit = { attempts: number; seconds: number };

export type CardLimits = {
  /** A mistyped card and a second and third try are normal. The window of this and the next three begins with its first try. */
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
   * Declined cards, over all members and processes: leaky buckets. A declined card fills a bucket by one, a registered card
   * takes one out, and time empties a full one in `seconds`. So a bucket becomes full only where more cards are declined
   * than registered, and no window ends at which somebody could begin anew. Of several limits each counts.
   */
  declines: {
    /** Cards from an IPv4 address, or a /64 of IPv6. While its bucket is full, the network has to wait. */
    address: readonly AttemptLimit[];
    /** From a /56 of IPv6: what one customer of a provider has. */
    site: readonly AttemptLimit[];
    /** From a /24 of IPv4, or a /48 of IPv6, in which one sender can have 65,536 networks of 64 bits. */
    wide: readonly AttemptLimit[];
    /** From everywhere. While it is full, each card needs the challenge of `shop/challenge.ts`. */
    challenge: readonly AttemptLimit[];
    /** From everywhere. While it is full, the form is closed for everybody. */
    everybody: readonly AttemptLimit[];
  };
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
  declines: {
    address: [
      { attempts: 6, seconds: HOUR },
      { attempts: 20, seconds: DAY },
    ],
    site: [
      { attempts: 12, seconds: HOUR },
      { attempts: 40, seconds: DAY },
    ],
    wide: [
      { attempts: 20, seconds: HOUR },
      { attempts: 60, seconds: DAY },
    ],
    challenge: [{ attempts: 40, seconds: HOUR }],
    everybody: [{ attempts: 100, seconds: HOUR }],
  },
};

/**
 * How often visitors of the return page may make us fetch a payment (§4.4), over all processes: leaky buckets.
 * `payments/pace-looks.ts` applies them.
 */
export type LookLimits = {
  /** From an IPv4 address, or a /64 of IPv6. Behind one IPv4 address of a mobile network are many people, as above. */
  address: AttemptLimit;
  /** About one order. For a payment that is not known yet, the page refreshes itself seven times in four minutes. */
  order: AttemptLimit;
};

export const LOOK_LIMITS: LookLimits = {
  address: { attempts: 60, seconds: 10 * MINUTE },
  order: { attempts: 30, seconds: 10 * MINUTE },
};

/**
 * A leaky bucket has time as its level (GCRA): what is kept of it is the one moment at which it will be empty. It has no
 * windows, so that nobody gains by waiting for the next one. Returns by how many milliseconds later it is empty if one more
 * is put in.
 */
export function dropMs({ attempts, seconds }: AttemptLimit): number {
  return Math.floor((seconds * 1000) / attempts);
}

/**
 * Returns null while there is room for one more, else the seconds until there is.
 * @param emptyAtMs when the bucket will be empty; a time in the past: it is empty
 */
export function secondsUntilRoom(limit: AttemptLimit, emptyAtMs: number, nowMs: number): number | null {
  const tooMuchMs = Math.max(emptyAtMs, nowMs) + dropMs(limit) - nowMs - limit.seconds * 1000;
  return tooMuchMs > 0 ? Math.ceil(tooMuchMs / 1000) : null;
}
