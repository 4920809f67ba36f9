// CARD_PG must be a gateway of §2.2.

import { loadConfig } from '../../../../src/merchant/settings';
import { PRODUCTION_ENVIRONMENT } from '../../../support/config';

test('a CARD_PG that is no gateway is refused', () => {
  const load = (CARD_PG: string) => loadConfig({ ...PRODUCTION_ENVIRONMENT, CARD_PG });
  expect(() => load('nice.MID')).not.toThrow();
  expect(() => load('nice MID')).toThrow('CARD_PG: must be a provider');
});
