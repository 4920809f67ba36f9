// Headers that any client, browser, proxy or CDN sends with a meaning of its own. A proxy that signs operators in must not name the
// operator in one of them: where it forgets to overwrite the header, everybody would be an operator.

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

const SENT_BY_OTHERS = new RegExp(`^(${`${OF_HTTP} ${OF_PROXIES}`.replaceAll(' ', '|')})$`, 'i');

export function isSentByOthers(name: string): boolean {
  return SENT_BY_OTHERS.test(name);
}
