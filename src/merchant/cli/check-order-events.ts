// `npm run doctor -- --live`: whether ORDER_EVENTS_URL can be reached. No event is sent: a GET without a signature is asked,
// and any answer of HTTP shows that somebody is there.

import { leadsToPrivateAddress } from '../core/events/post-event';
import type { Config } from '../platform/config';
import { askUrl, reasonOf } from './ask-url';
import { EXTRA_CA, findCertificateProblem } from './certificate-problem';
import type { Check } from './doctor-checks';

export async function checkOrderEvents({
  orderEvents,
  production,
}: Pick<Config, 'orderEvents' | 'production'>): Promise<Check> {
  const name = 'order events';
  if (orderEvents === null)
    return { name, state: 'ok', says: 'ORDER_EVENTS_URL is not set: nothing is posted' };
  const { url } = orderEvents;
  try {
    if (production && (await leadsToPrivateAddress(url)))
      return {
        name,
        state: 'failed',
        says: `${url} leads to this machine or a private network: no event is posted there in production`,
        fix: 'Set ORDER_EVENTS_URL to a public address.',
      };
    const { status } = await askUrl(url);
    if (status >= 300 && status < 400)
      return {
        name,
        state: 'failed',
        says: `${url} answers ${status}, a redirect: events are not sent on`,
        fix: 'Set ORDER_EVENTS_URL to the address to which it leads.',
      };
    return { name, state: 'ok', says: `${url} can be reached (${status} to a GET; no event was sent)` };
  } catch (error) {
    const reason = reasonOf(error);
    const certificate = findCertificateProblem(reason);
    if (certificate)
      return {
        name,
        state: 'failed',
        says: `${url} ${certificate.shown}: no event is sent`,
        fix: certificate.isUnknownSigner
          ? EXTRA_CA
          : 'Renew the certificate at the receiver, for this host name.',
      };
    return {
      name,
      state: 'failed',
      says: `${url} cannot be reached (${reason})`,
      fix: 'Is the receiver up, and ORDER_EVENTS_URL right? What waits is tried again for three days.',
    };
  }
}
