// The return page: one text for each state, the purchase, the account to pay into, when the page asks again, and where the
// customer goes on.

import { LAST_ATTEMPT } from '../../platform/http/refresh';
import type { Page } from '../../platform/http/views';
import type { Return } from './find-return';
import { en } from './texts.en';
import { ko, type CheckoutTexts } from './texts.ko';

/** Where the customer goes on if the address of the page names nothing. A shop puts its own page here. */
const SHOP_PAGE = '/cards';

type Visited = {
  /** How often the page has refreshed itself. */
  attempt: number;
  /** The address of the page with another such count. */
  addressOf: (attempt: number) => string;
  /** Until it does so again; null where it does not. */
  refreshSeconds: number | null;
  /** Where the customer goes on; null where the address of the page names nothing that is allowed. */
  returnUrl: string | null;
};

export function returnPage(result: Return, visited: Visited): Omit<Page<CheckoutTexts>, 'status'> {
  const { attempt, addressOf, refreshSeconds, returnUrl } = visited;
  const { state } = result;
  return {
    template: 'checkout/return',
    texts: { ko, en },
    title: ({ checkout }) => checkout.states[state].title,
    isError: state === 'missing',
    path: addressOf(attempt),
    data: {
      ...result,
      refreshSeconds,
      again: addressOf(0),
      stop: addressOf(LAST_ATTEMPT),
      returnUrl,
      shopPage: SHOP_PAGE,
    },
  };
}
