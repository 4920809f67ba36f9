// The settings of the operator pages.

import { z } from 'zod';
import { defineSettings, secrets } from '../../platform/settings';

export const operatorSettings = defineSettings({
  shape: {
    OPERATOR_PASSWORD: secrets.describe('Signs in to /operator.'),
    /** The header in which a trusted proxy names the operator that it has signed in. */
    OPERATOR_IDENTITY_HEADER: z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/, 'must be the name of a request header, such as X-Forwarded-User')
      .refine(
        (name) => !SENT_BY_OTHERS.test(name),
        'is a header that browsers, clients or proxies send with another meaning',
      )
      .optional(),
    /** In won: what one operator may refund of a payment without a second person; without it there is no limit. */
    REFUND_LIMIT: z.coerce
      .number('must be an amount in won, without separators')
      .int('must be a whole amount in won')
      .min(0, 'must be 0 or more')
      .max(Number.MAX_SAFE_INTEGER, 'is too large')
      .optional(),
  },
  /** Of scrypt. One of the choices of OWASP's Password Storage Cheat Sheet: 32 MiB for each password. */
  constants: () => ({ passwordCost: { N: 2 ** 15, r: 8, p: 3 } }),
  ownSecrets: ['OPERATOR_PASSWORD'],
  // Without a trusted proxy the header is always ignored, so that no operator could sign in.
  problems: (given) =>
    given['OPERATOR_IDENTITY_HEADER'] === undefined || given['TRUSTED_PROXIES'] !== undefined
      ? []
      : ['OPERATOR_IDENTITY_HEADER: needs TRUSTED_PROXIES, the addresses from which it is believed'],
});

/** Fields of HTTP itself (RFC 9110 to 9112, RFC 6265), and what browsers add (Fetch, client hints). */
const OF_HTTP =
  'a-im accept age allow alt-used authorization cache-control connection cookie2? date dnt dpr early-data ect expect from ' +
  'forwarded host http2-settings keep-alive max-forwards origin pragma priority prefer proxy-[a-z-]+ range rtt referer ' +
  'save-data te trailer transfer-encoding tk upgrade(-insecure-requests)? user-agent via warning width viewport-width ' +
  'accept-[a-z-]+ content-[a-z-]+ if-[a-z-]+ sec-[a-z-]+ access-control-[a-z-]+ device-memory downlink sec-gpc ' +
  'ping-(from|to) last-event-id service-worker[a-z-]* idempotency-key';
/** What proxies, CDNs and tracing add. */
const OF_PROXIES =
  'x-forwarded(-for|-host|-proto|-port|-server|-scheme|-path|-prefix|-ssl|-by)? x-real-ip x-client-ip x-cluster-client-ip ' +
  'x-original-[a-z-]+ x-originating-ip x-remote-(ip|addr) x-host x-scheme x-url-scheme true-client-ip client-ip ' +
  'fastly-[a-z-]+ cf-(?!access-)[a-z-]+ cdn-loop x-azure-[a-z-]+ x-envoy-[a-z-]+ x-amzn?-(?!oidc-)[a-z-]+ x-akamai-[a-z-]+ ' +
  'x-request-id x-correlation-id x-trace[a-z-]* x-b3-[a-z]+ traceparent tracestate baggage b3 x-cloud-trace-context ' +
  'x-request-start x-arr-[a-z-]+ x-appengine-[a-z-]+ x-vercel-[a-z-]+ x-nf-[a-z-]+ webhook-[a-z-]+ x-csrf-token ' +
  'x-xsrf-token x-requested-with x-http-method-override x-forwarded-client-cert x-wap-profile x-att-deviceid x-uidh';

/**
 * Headers that any client, browser, proxy or CDN sends with a meaning of its own. A proxy that signs operators in must not name
 * the operator in one of them: where it forgets to overwrite the header, everybody would be an operator.
 */
const SENT_BY_OTHERS = new RegExp(`^(${`${OF_HTTP} ${OF_PROXIES}`.replaceAll(' ', '|')})$`, 'i');
