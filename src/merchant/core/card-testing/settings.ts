import type { Config } from '../../platform/config';
import { defineSettings, settingsOf } from '../../platform/settings';
import { CARD_LIMITS, SANDBOX_CARD_LIMITS } from './card-limits';

export const cardTestingSettings = defineSettings({
  shape: {},
  constants: (sandboxMode) => ({ cardLimits: sandboxMode ? SANDBOX_CARD_LIMITS : CARD_LIMITS }),
});

export const cardLimitsOf = (config: Pick<Config, 'values'>) =>
  settingsOf(config, cardTestingSettings).cardLimits;
