import { z } from 'zod';
import { PG } from '../../payment-service/identifiers';
import type { Config } from '../../platform/config';
import { defineSettings, settingsOf } from '../../platform/settings';
import { CARD_LIMITS, SANDBOX_CARD_LIMITS } from './card-limits';

export const cardFormSettings = defineSettings({
  shape: {
    /** The payment gateway that issues the keys of the card form (§4.2, `pg`); without it the service chooses. */
    CARD_PG: z
      .string()
      .regex(
        PG,
        'must be a provider such as "nice", or a provider, "." and your id there, such as "nice.MID"',
      )
      .optional(),
  },
  constants: (sandboxMode) => ({ cardLimits: sandboxMode ? SANDBOX_CARD_LIMITS : CARD_LIMITS }),
});

export const cardLimitsOf = (config: Pick<Config, 'values'>) =>
  settingsOf(config, cardFormSettings).cardLimits;

/** Whether no limit applies to this card. */
export const isUnlimited = ({ config }: { config: Pick<Config, 'values'> }, cardNumber: string): boolean =>
  cardLimitsOf(config).unlimitedCards?.includes(cardNumber) ?? false;
