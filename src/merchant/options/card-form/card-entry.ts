// The paths of the card form. The pages of other features link there.

import type { CardEntry } from '../../platform/http/views';

export const CARD_ENTRY: CardEntry = {
  register: '/cards/new',
  replace: (customerUid) => `/cards/${customerUid}/replace`,
};
