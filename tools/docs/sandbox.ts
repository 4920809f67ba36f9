// The variables, settings, faults and test cards of the sandbox. Names and defaults are read from its code.

import { testCards } from '../../src/sandbox/billing-keys/test-cards';
import { defaultConfig } from '../../src/sandbox/config';
import { FAULT_KINDS } from '../../src/sandbox/http/faults';
import { createSettings, settingsSchema, type SettingValues } from '../../src/sandbox/notifications/settings';
import { environmentSchema } from '../../src/sandbox/read-config';
import { code, table } from './markdown';

type Variable = Exclude<keyof (typeof environmentSchema)['shape'], 'NODE_ENV'>;
type FaultKind = (typeof FAULT_KINDS)[number];

const VARIABLES: Record<
  Variable,
  readonly [fallback: string | number | boolean | undefined, meaning: string]
> = {
  SANDBOX_PORT: [defaultConfig.port, 'port'],
  SANDBOX_HOST: [defaultConfig.host, 'address; a loopback address is required'],
  SANDBOX_IN_CONTAINER: [false, 'set by the image only; then any address is accepted'],
  SERVICE_KEY: [defaultConfig.serviceKey, 'the accepted `svc_key`'],
  SERVICE_SECRET: [defaultConfig.serviceSecret, 'the accepted `svc_secret`'],
  SERVICE_API_KEY: [defaultConfig.apiKey, 'API key of the newer generation'],
  WEBHOOK_SECRET: [
    undefined,
    'signs the present form of newer notifications (`newer_signed`); by default `whsec_` and five times `sandbox/`',
  ],
  SERVICE_NAME_PREFIX: [
    defaultConfig.namePrefix,
    'prefix of field names: with `abc`, `svc_uid` is `abc_uid`',
  ],
  SANDBOX_DATA_DIR: [
    defaultConfig.dataDir,
    'folder of the state; without it the state is in memory. While its disk is full, writes are a 507',
  ],
  SANDBOX_WEBHOOK_URL: [defaultConfig.webhookUrl, 'the notification address at the start and after a reset'],
  SANDBOX_MERCHANT_API_KEY: [
    defaultConfig.merchantApiKey,
    'API key of the merchant, used by console and stories to register orders. It is sent only to the origin of `SANDBOX_WEBHOOK_URL`, and neither shown nor logged',
  ],
};

const SETTINGS: Record<keyof SettingValues, string> = {
  webhook_url: 'the notification address (§6.3); with null nothing is sent',
  content_type: 'content type of notifications (§6.3)',
  generation: 'which notifications are sent (§6.1, §6.2)',
  newer_signed:
    'newer notifications have their present form, signed as Standard Webhooks, from 52.78.5.241 (§5.8)',
  legacy_sends: 'maximum sends of a legacy notification, 1 to 5 (§6.5)',
  webhook_before_redirect: 'the buyer is answered only after the merchant has answered (§6.5)',
  billing_key_payments_shape: 'format of the answer of §4.6',
  billing_key_schedules_shape: 'format of the schedules of a key (§4.9)',
  shuffle_arrival: 'notifications are delayed by up to five seconds and arrive out of order (§6.5)',
  resend_unless_ok:
    'legacy: resend after any answer other than 200; by default only after a network error, a time-out or a 5xx (§6.5)',
  refuse_local_addresses: 'a notification to a local address fails, as with the live service (§6.3)',
  operation_errors: 'a refused operation is HTTP 200 with a `code`, or the status of a query (§7)',
  test_channel: 'new payments have `sandbox: true`; queries hide them without `include_sandbox=true` (§4.4)',
  newer_shows_channel: 'the newer generation shows the channel of a payment: `LIVE` or `TEST` (§9)',
};

const FAULTS: Record<FaultKind, string> = {
  status: 'an HTTP status, by default 500',
  delay: 'a late answer',
  drip: 'an answer byte by byte',
  reset: 'a connection reset',
  html: 'HTML instead of JSON',
  garbage: 'invalid JSON, with the size `bytes`',
  redirect: 'a redirect, by default 302',
  lost_response: 'the work is done, then the connection is cut',
  unauthorized: 'a 401',
};

const valueText = (value: string | number | boolean | null | undefined) =>
  value === undefined ? '' : code(String(value));

export function sandboxVariables(): string {
  const rows = Object.entries(VARIABLES).map(([name, [fallback, meaning]]) => [
    code(name),
    valueText(fallback),
    meaning,
  ]);
  return table(
    ['Variable', 'Default', 'Meaning'],
    [...rows, [code('LOG_LEVEL'), code('info'), 'level of the log']],
  );
}

export function sandboxSettings(): string {
  const defaults = createSettings(undefined, () => {}).get();
  const names = Object.keys(settingsSchema.shape) as (keyof SettingValues)[];
  return table(
    ['Setting', 'Values', 'Meaning'],
    names.map((name) => [code(name), valuesOf(name, defaults[name]), SETTINGS[name]]),
  );
}

/** All values, the default first. */
function valuesOf(name: keyof SettingValues, fallback: string | number | boolean | null): string {
  const schema = settingsSchema.shape[name];
  const options = 'options' in schema ? schema.options.filter((option) => option !== fallback) : [];
  return [fallback, ...options].map(valueText).join(', ');
}

export function sandboxFaults(): string {
  return table(
    ['Kind', 'What the caller gets'],
    FAULT_KINDS.map((kind) => [code(kind), FAULTS[kind]]),
  );
}

export function testCardTable(): string {
  return table(
    ['Number', 'Outcome', 'What happens'],
    testCards.map(({ card_number, outcome, label_en }) => [code(card_number), code(outcome), label_en]),
  );
}
