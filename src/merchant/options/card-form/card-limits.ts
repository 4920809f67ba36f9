// Rate limits of the card form, against card testing (trying stolen cards). The numbers are ours (§4.2 has none) and a
// shop may change them; test/merchant/options/card-form/card-limits.test.ts calculates what they leave to a card tester.

import { CARDS_HELD } from '../../core/billing-keys/billing-key-store';
import type { AttemptLimit } from '../../platform/limit-store';

/** `limit-try.ts` and `watch-declines.ts` apply them. */
export type CardLimits = {
  /** A mistyped card and a second and third try are normal. */
  member: AttemptLimit;
  /** For a member who tries again whenever there is room. */
  memberDaily: AttemptLimit;
  /**
   * An IPv4 address, or a /64 of IPv6: a home or an office. Many people share one IPv4 address of a mobile network, so
   * a shop with very many members may need more.
   */
  address: AttemptLimit;
  /** One card number, whoever enters it. The form asks for two digits of the password: a hundred tries find them. */
  card: AttemptLimit;
  /**
   * All tries together: as many as declined cards close the form, within the longest time that a call takes. It bounds
   * the tries that are on their way before the first of them is known to be declined.
   */
  all: AttemptLimit;
  /** Cards that a member registers in 24 hours, including those removed again. */
  newCardsPerDay: number;
  /** Cards that a member has at one time. */
  cardsHeld: number;
  /** Cards that no limit applies to, and whose declines count for nothing. Only the sandbox has such cards. */
  unlimitedCards?: readonly string[];
  /** A form submitted sooner was not filled in by hand. Zero disables the check. */
  formMinAgeMs: number;
  /**
   * Leaky buckets of declined cards, over all members and processes. A declined card adds one, a registered card
   * removes one, so a bucket is full only if more cards are declined than registered. All limits of a list apply.
   */
  declines: {
    /** Per IPv4 address, or /64 of IPv6. While the bucket is full, that network has to wait. */
    address: readonly AttemptLimit[];
    /** Per /56 of IPv6: one customer of a provider. */
    site: readonly AttemptLimit[];
    /** Per /24 of IPv4, or /48 of IPv6, within which one sender can have 65,536 networks of 64 bits. */
    wide: readonly AttemptLimit[];
    /** Over all networks. While it is full, each card needs the challenge of `shop/challenge.ts`. */
    challenge: readonly AttemptLimit[];
    /** Over all networks. While it is full, the form is closed for everybody. */
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
  all: { attempts: 100, seconds: 10 },
  newCardsPerDay: 5,
  cardsHeld: CARDS_HELD,
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

/** Card numbers with a special behaviour in the sandbox, in the order in which the form offers them. */
export const TEST_CARDS = {
  success: '4242-4242-4242-4242',
  declined: '4000-0000-0000-0002',
  wrong_password: '4000-0000-0000-0010',
  expired: '4000-0000-0000-0069',
  slow: '4000-0000-0000-0077',
  lost_response: '4000-0000-0000-0085',
  later_payments_fail: '4000-0000-0000-0341',
} as const;

/**
 * The limits while the sandbox is the payment service: tries with its test cards have no limit, and these cards do not
 * count as new cards of a member. Every other card is limited as in production.
 */
export const SANDBOX_CARD_LIMITS: CardLimits = {
  ...CARD_LIMITS,
  unlimitedCards: Object.values(TEST_CARDS),
  newCardsPerDay: 1_000_000,
};
