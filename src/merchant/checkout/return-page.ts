// The return page: one text for each state, the purchase, the account to pay into, when the page asks again, and where the
// customer goes on.

import type { Page } from '../http/views';
import type { Return } from './find-return';
import type { ReturnState } from './return-state';

/** Where the customer goes on if the address of the page names nothing. A shop puts its own page here. */
const SHOP_PAGE = '/cards';

/** Until the page asks again, by how often it has done so. After the last one the customer decides. */
const REFRESH_AFTER_SECONDS = [3, 5, 8, 15, 30, 60, 120];

/** Seconds until the page refreshes itself. Returns null if it does not. */
export function refreshAfter(state: ReturnState, attempt: number): number | null {
  return state === 'not_known_yet' ? (REFRESH_AFTER_SECONDS[attempt] ?? null) : null;
}

type Visited = {
  /** How often the page has refreshed itself. */
  attempt: number;
  /** The address of the page with another such count. */
  addressOf: (attempt: number) => string;
  /** Where the customer goes on; null where the address of the page names nothing that is allowed. */
  returnUrl: string | null;
};

export function returnPage(result: Return, { attempt, addressOf, returnUrl }: Visited): Omit<Page, 'status'> {
  const { state } = result;
  return {
    template: 'return',
    title: ({ checkout }) => checkout.states[state].title,
    isError: state === 'missing',
    path: addressOf(attempt),
    data: {
      ...result,
      refreshAfter: refreshAfter(state, attempt),
      again: addressOf(0),
      stop: addressOf(REFRESH_AFTER_SECONDS.length),
      returnUrl,
      shopPage: SHOP_PAGE,
    },
  };
}
