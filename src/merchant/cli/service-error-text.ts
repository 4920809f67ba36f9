// Errors of the payment service and invalid certificates, explained to the person who runs a command.

import type { ServiceError } from '../payment-service/records/service-error';

export function serviceErrorText({ facts }: ServiceError): string {
  const { kind, path, status, detail, serviceMessage } = facts;
  const message = serviceMessage ? ` Its message: ${serviceMessage}` : '';
  const certificate = kind === 'unreachable' ? findCertificateProblem(detail ?? '') : null;
  if (certificate) return `The payment service ${certificate.shown}: nothing was sent to it.`;
  switch (kind) {
    case 'unreachable':
    case 'no_answer':
      return `The payment service does not answer (${detail ?? kind}): is it running, and is SERVICE_BASE_URL right?`;
    case 'unauthorized':
      return `The payment service refuses our credentials: check ${path.startsWith('/v2/') ? 'SERVICE_API_KEY' : 'SERVICE_KEY and SERVICE_SECRET'}.${message}`;
    case 'rate_limited':
      return `The payment service asks for a pause: try again ${facts.retryAfterSeconds ? `in ${facts.retryAfterSeconds} s` : 'later'}.`;
    case 'server_error':
      return `The payment service is out of order (HTTP ${status ?? '5xx'}): try again later.${message}`;
    case 'bad_answer':
      return `Invalid response from the payment service (${detail ?? kind}): is SERVICE_BASE_URL right?`;
    case 'not_found':
    case 'refused':
      return `The payment service refuses ${facts.method} ${facts.path}.${message}`;
  }
}

/** `shown` is what is wrong with it, as the end of a sentence that begins with its owner. */
type CertificateProblem = { shown: string; isUnknownSigner: boolean };

const BY_CODE: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'shows a self-signed certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'shows a certificate of a CA that this machine does not know',
  UNABLE_TO_GET_ISSUER_CERT: 'shows a certificate whose CA this machine does not know',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'shows a certificate whose CA this machine does not know',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'shows a certificate without its intermediate certificates, or of a CA that this machine does not know',
};
const OTHERS: Record<string, string> = {
  CERT_HAS_EXPIRED: 'shows a certificate that has expired',
  CERT_NOT_YET_VALID: 'shows a certificate that is not valid yet; is the clock of this machine right?',
  CERT_REVOKED: 'shows a certificate that was revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'shows a certificate of another host name',
};
const ANY_CODE = /^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT_)/;

/**
 * Node reads NODE_EXTRA_CA_CERTS when the process starts, before `.env` is read. For PostgreSQL the CA is in
 * DATABASE_URL.
 */
export const EXTRA_CA =
  'If your own CA has signed it, set NODE_EXTRA_CA_CERTS=/path/ca.pem in the environment (not in .env). Never switch off the check.';

/** @param text that may contain a code such as "DEPTH_ZERO_SELF_SIGNED_CERT". Returns null if it has none */
export function findCertificateProblem(text: string): CertificateProblem | null {
  const code = text.split(/[^A-Z_]+/).find((word) => ANY_CODE.test(word));
  if (code === undefined) return null;
  const unknownSigner = BY_CODE[code];
  const shown = unknownSigner ?? OTHERS[code] ?? 'shows a certificate that does not verify';
  return { shown: `${shown} (${code})`, isUnknownSigner: unknownSigner !== undefined };
}
