// `npm run doctor`: whether both generations of the payment service answer and take our credentials (§4.1, §5.7).

import type { Context } from '../platform/context';
import { ServiceError } from '../platform/errors';
import { EXTRA_CA, findCertificateProblem } from './certificate-problem';
import { checkPrefix } from './check-prefix';
import { serviceErrorText } from './command';
import type { Check } from './doctor-checks';

/** Nothing depends on the host's clock being right; people who compare its log lines do. */
const MOST_SKEW_SECONDS = 30;
/** No payment has this payment_id. */
const NO_PAYMENT = 'doctor-asks-for-nothing';

export async function checkService(context: Context): Promise<Check[]> {
  return [...(await checkLegacy(context)), await checkNewer(context)];
}

async function checkLegacy({ service, clock, config }: Context): Promise<Check[]> {
  const name = 'service';
  try {
    const skew = Math.round((+clock.now() - +(await service.getServerTime())) / 1000);
    const says = `${config.service.baseUrl} answers, SERVICE_KEY and SERVICE_SECRET are taken`;
    return [{ name, state: 'ok', says }, ...(await checkPrefix(config, null)), clockCheck(skew)];
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return [failedCheck(name, error), ...(await checkPrefix(config, error))];
  }
}

function clockCheck(skew: number): Check {
  return {
    name: 'clock',
    state: Math.abs(skew) > MOST_SKEW_SECONDS ? 'warning' : 'ok',
    says:
      skew === 0
        ? 'as the service’s'
        : `${Math.abs(skew)} s ${skew > 0 ? 'ahead of' : 'behind'} the service’s`,
  };
}

/** Signs in, and then asks for a payment that does not exist. */
async function checkNewer({ service, config }: Context): Promise<Check> {
  const name = 'service v2';
  const { newer } = config.service;
  if (newer === null)
    return { name, state: 'ok', says: 'switched off: notifications of the newer generation are refused' };
  try {
    await service.findNewerPayment(NO_PAYMENT);
    return { name, state: 'ok', says: `${newer.baseUrl} answers, SERVICE_API_KEY is taken` };
  } catch (error) {
    return failedCheck(name, error);
  }
}

function failedCheck(name: string, error: unknown): Check {
  if (!(error instanceof ServiceError)) throw error;
  const isUnknownSigner = findCertificateProblem(error.facts.detail ?? '')?.isUnknownSigner === true;
  return { name, state: 'failed', says: serviceErrorText(error), ...(isUnknownSigner && { fix: EXTRA_CA }) };
}
