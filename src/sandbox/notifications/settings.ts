// What the admin console lets a merchant set (§6.3, §6.5), and what the document leaves open (§4.6).
import { z } from 'zod';
import { parseFields, wholeNumber } from '../http/fields';

const settingsSchema = z.object({
  /** Only one webhook URL can be set (§6.3); null sends nothing. */
  webhook_url: z.url({ protocol: /^https?$/ }).nullable(),
  content_type: z.enum(['json', 'form']),
  generation: z.enum(['legacy', 'newer']),
  legacy_sends: wholeNumber(1, 5),
  webhook_before_redirect: z.boolean(),
  billing_key_payments_shape: z.enum(['paged', 'array']),
  /** Our addition: holds each notification for up to five seconds of the sandbox's clock, so that they overtake (§6.5.1). */
  shuffle_arrival: z.boolean(),
});

const changeSchema = settingsSchema.partial().strict();

export type SettingValues = z.output<typeof settingsSchema>;

export type Settings = {
  get: () => SettingValues;
  patch(fields: unknown): SettingValues;
  restore(saved: unknown): void;
  reset(): void;
};

/** `onChange` hears what differs from the start, so that a saved state does not fix what the next start may choose. */
export function createSettings(
  webhookUrl: string | undefined,
  onChange: (changed: Partial<SettingValues>) => void,
): Settings {
  const initial: SettingValues = {
    webhook_url: webhookUrl ?? null,
    content_type: 'json',
    generation: 'legacy',
    legacy_sends: 1,
    webhook_before_redirect: false,
    billing_key_payments_shape: 'paged',
    shuffle_arrival: false,
  };
  let changed: Partial<SettingValues> = {};
  const values = () => ({ ...initial, ...changed });
  return {
    get: values,
    patch(fields) {
      changed = { ...changed, ...(parseFields(changeSchema, fields) as Partial<SettingValues>) };
      onChange(changed);
      return values();
    },
    // What an older version saved may not fit any more; then the start is a fresh one.
    restore(saved) {
      changed = (changeSchema.safeParse(saved).data ?? {}) as Partial<SettingValues>;
    },
    reset() {
      changed = {};
    },
  };
}
