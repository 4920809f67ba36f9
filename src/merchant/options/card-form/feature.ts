// Takes card numbers: the form on which a member registers or replaces a card, and key-in payments (§4.3). A server
// without this option never sees a card number.

import type { Feature } from '../../platform/http/feature-type';
import { CARD_ENTRY } from './card-entry';
import { cardFormErrors } from './errors';
import { formRoutes } from './form-routes';
import { cardTryCounters } from './limit-try';
import { onetimeRoutes } from './onetime-routes';
import { cardFormSettings } from './settings';
import { en } from './texts.en';
import { ko } from './texts.ko';
import { waveCounters } from './watch-declines';

export const cardForm: Feature = {
  name: 'card-form',
  settings: cardFormSettings,
  errors: cardFormErrors,
  cardEntry: CARD_ENTRY,
  api: { charges: { routes: onetimeRoutes } },
  pages: ({ context, views }) => formRoutes(context, views),
  counters: { ...cardTryCounters, ...waveCounters },
  texts: { ko, en },
};
