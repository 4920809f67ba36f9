// The settings of the admin console (§6.3, §6.5), and choices that the document leaves open (§4.6, §4.9, §7).

import { z } from 'zod';
import { parseFields, wholeNumber } from '../http/fields';

export const settingsSchema = z.object({
  /** Only one webhook URL can be set (§6.3). With null, nothing is sent. */
  webhook_url: z.url({ protocol: /^https?$/ }).nullable(),
  content_type: z.enum(['json', 'form']),
  generation: z.enum(['legacy', 'newer']),
  /** The newer generation sends its present, signed form, always as JSON; the document shows the older one (§6.4). */
  newer_signed: z.boolean(),
  legacy_sends: wholeNumber(1, 5),
  webhook_before_redirect: z.boolean(),
  billing_key_payments_shape: z.enum(['paged', 'array']),
  /** An older description shows a page (§4.9), and published clients read one. */
  billing_key_schedules_shape: z.enum(['array', 'paged']),
  /** Delays each notification by up to five seconds of the sandbox's clock, so that they arrive out of order (§6.5.1). */
  shuffle_arrival: z.boolean(),
  /** Legacy: sends again after everything but HTTP 200, also after a definite answer such as a 400 (§6.5.2). */
  resend_unless_ok: z.boolean(),
  /** A notification to a local address fails, as the live service cannot call one (§6.3). */
  refuse_local_addresses: z.boolean(),
  /** How a refused operation is answered: HTTP 200 with code 1, or 400 and 404 as a query is (§7). */
  operation_errors: z.enum(['code', 'http']),
  /** New payments are made through a test channel: queries hide them unless asked with `include_sandbox` (§4.4). */
  test_channel: z.boolean(),
  /** The newer generation names the channel of a payment, LIVE or TEST; the document shows none (§9). */
  newer_shows_channel: z.boolean(),
});

const changeSchema = settingsSchema.partial().strict();
const patchSchema = changeSchema.refine((fields) => Object.keys(fields).length > 0, 'names no setting');

export type SettingValues = z.output<typeof settingsSchema>;

export type Settings = {
  get: () => SettingValues;
  patch(fields: unknown): SettingValues;
  restore(saved: unknown): void;
  reset(): void;
};

/** `onChange` is called with the changed values only, so that the next start can have other initial values. */
export function createSettings(
  webhookUrl: string | undefined,
  onChange: (changed: Partial<SettingValues>) => void,
): Settings {
  const initial: SettingValues = {
    webhook_url: webhookUrl ?? null,
    content_type: 'json',
    generation: 'legacy',
    newer_signed: false,
    legacy_sends: 1,
    webhook_before_redirect: false,
    billing_key_payments_shape: 'paged',
    billing_key_schedules_shape: 'array',
    shuffle_arrival: false,
    resend_unless_ok: false,
    refuse_local_addresses: false,
    operation_errors: 'code',
    test_channel: false,
    newer_shows_channel: false,
  };
  let changed: Partial<SettingValues> = {};
  const values = () => ({ ...initial, ...changed });
  return {
    get: values,
    patch(fields) {
      const patched = { ...changed, ...(parseFields(patchSchema, fields) as Partial<SettingValues>) };
      onChange(patched);
      changed = patched;
      return values();
    },
    // If an older version saved values that are not valid now, none of them is restored.
    restore(saved) {
      changed = (changeSchema.safeParse(saved).data ?? {}) as Partial<SettingValues>;
    },
    reset() {
      changed = {};
    },
  };
}
