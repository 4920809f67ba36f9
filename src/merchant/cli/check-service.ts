// `npm run doctor`: whether both generations of the payment service answer and accept our credentials (§4.1, §5.7).

import { webhookSettings } from '../core/webhooks/settings';
import { cleanText } from '../payment-service/records/clean-text';
import { ServiceError } from '../payment-service/records/service-error';
import { DAY_MS } from '../platform/clock';
import type { Config } from '../platform/config';
import type { Context } from '../platform/context';
import { settingsOf } from '../platform/settings';
import type { Check } from './doctor-checks';
import { EXTRA_CA, findCertificateProblem, serviceErrorText } from './service-error-text';

/** Nothing depends on a correct host clock, except people who compare its log lines. */
const MOST_SKEW_SECONDS = 30;
/** No payment has this payment_id. */
const NO_PAYMENT = 'doctor-asks-for-nothing';

export async function checkService(context: Context): Promise<Check[]> {
  return [...(await checkLegacy(context)), await checkNewer(context), ...checkSignatures(context.config)];
}

async function checkLegacy({ service, clock, config }: Context): Promise<Check[]> {
  const name = 'service';
  try {
    const skew = Math.round((+clock.now() - +(await service.getServerTime())) / 1000);
    const says = `${config.service.baseUrl} answers and accepts SERVICE_KEY and SERVICE_SECRET`;
    return [{ name, state: 'ok', says }, ...(await checkPrefix(config, null)), clockCheck(skew, config)];
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return [failedCheck(name, error), ...(await checkPrefix(config, error))];
  }
}

function clockCheck(skew: number, { sandboxMode }: Config): Check {
  const isFarOff = sandboxMode && Math.abs(skew) >= DAY_MS / 1000;
  return {
    name: 'clock',
    state: Math.abs(skew) > MOST_SKEW_SECONDS ? 'warning' : 'ok',
    says:
      skew === 0
        ? 'as the service’s'
        : `${spanText(Math.abs(skew))} ${skew > 0 ? 'ahead of' : 'behind'} the service’s`,
    ...(isFarOff && { fix: 'Was only the sandbox moved? Its console moves the shop to the same time.' }),
  };
}

/** In the largest unit that fits. */
function spanText(seconds: number): string {
  const [unit, size] = SPANS.find((each) => seconds >= 2 * each[1]) ?? SPANS[3];
  return `${Math.floor(seconds / size)} ${unit}`;
}

const SPANS = [
  ['days', 86_400],
  ['hours', 3_600],
  ['minutes', 60],
  ['s', 1],
] as const;

/** Signs in, then requests a payment that does not exist. */
async function checkNewer({ service, config }: Context): Promise<Check> {
  const name = 'service v2';
  const { newer } = config.service;
  if (newer === null)
    return { name, state: 'ok', says: 'switched off: notifications of the newer generation are refused' };
  try {
    await service.findNewerPayment(NO_PAYMENT);
    return { name, state: 'ok', says: `${newer.baseUrl} answers and accepts SERVICE_API_KEY` };
  } catch (error) {
    return failedCheck(name, error);
  }
}

/** Whether signed notifications are accepted. Only reported if the newer generation is on, which alone sends them. */
export function checkSignatures(config: Pick<Config, 'service' | 'values'>): Check[] {
  const { service } = config;
  if (service.newer === null) return [];
  const name = 'signatures';
  if (settingsOf(config, webhookSettings).WEBHOOK_SECRET !== undefined)
    return [{ name, state: 'ok', says: 'WEBHOOK_SECRET is set: signed notifications are accepted' }];
  return [
    {
      name,
      state: 'warning',
      says: 'WEBHOOK_SECRET is not set: signed notifications of the newer generation are answered 400 malformed',
      fix: 'If the service’s console shows a webhook secret, set it as WEBHOOK_SECRET.',
    },
  ];
}

function failedCheck(name: string, error: unknown): Check {
  if (!(error instanceof ServiceError)) throw error;
  const isUnknownSigner = findCertificateProblem(error.facts.detail ?? '')?.isUnknownSigner === true;
  return { name, state: 'failed', says: serviceErrorText(error), ...(isUnknownSigner && { fix: EXTRA_CA }) };
}

const DEADLINE_MS = 5_000;
const MAX_MESSAGE_LENGTH = 200;

/**
 * Whether SERVICE_NAME_PREFIX is the live service's. The document has no request for that, so our choice is a
 * comparison: if the service answers the same with and without our credentials, it does not know their names.
 * @param refusal of the token call (§4.1) with our credentials; null if they were accepted
 */
async function checkPrefix(
  { service }: Pick<Config, 'service'>,
  refusal: ServiceError | null,
): Promise<Check[]> {
  const name = 'prefix';
  const names = `${service.namePrefix}_key and ${service.namePrefix}_secret`;
  if (refusal === null) return [{ name, state: 'ok', says: `the service accepts the names ${names}` }];
  if (refusal.facts.kind !== 'unauthorized' || refusal.facts.status === undefined) return [];
  const none = await answerToNothing(service.baseUrl);
  const { status, serviceMessage = null } = refusal.facts;
  if (none === null || none.status !== status || none.message !== serviceMessage) return [];
  return [
    {
      name,
      state: 'failed',
      says: `the service answers ${names} as if nothing had been sent: it may not know these names`,
      fix: 'Set SERVICE_NAME_PREFIX to the prefix that its reference puts on the names of the token call, such as abc for abc_key.',
    },
  ];
}

/** Null without an answer. */
async function answerToNothing(baseUrl: string): Promise<{ status: number; message: string | null } | null> {
  try {
    const response = await fetch(`${baseUrl.replace(/\/+$/, '')}/users/getToken`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/json' },
      body: '{}',
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    const { message } = (await response.json()) as { message?: unknown };
    const text = typeof message === 'string' && message !== '' ? message : null;
    return { status: response.status, message: text && cleanText(text, MAX_MESSAGE_LENGTH) };
  } catch {
    return null;
  }
}
