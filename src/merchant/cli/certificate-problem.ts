// What a certificate that does not verify means to the person who runs a command, by the error code of Node's TLS.

/** `shown` is what is wrong with it, as the end of a sentence that begins with its owner. */
export type CertificateProblem = { shown: string; isUnknownSigner: boolean };

const BY_CODE: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'shows a certificate that it has signed itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'shows a certificate that is signed by a CA which this machine does not know',
  UNABLE_TO_GET_ISSUER_CERT: 'shows a certificate whose CA this machine does not know',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'shows a certificate whose CA this machine does not know',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'shows a certificate without those between it and its CA, or of a CA which this machine does not know',
};
const OTHERS: Record<string, string> = {
  CERT_HAS_EXPIRED: 'shows a certificate that has expired',
  CERT_NOT_YET_VALID: 'shows a certificate that is not valid yet; is the clock of this machine right?',
  CERT_REVOKED: 'shows a certificate that was revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'shows a certificate of another host name',
};
const ANY_CODE = /^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT_)/;

/**
 * Node reads NODE_EXTRA_CA_CERTS when the process starts, before `.env` is read.
 * For PostgreSQL the CA stands in DATABASE_URL.
 */
export const EXTRA_CA =
  'If a CA of your own has signed it, start with NODE_EXTRA_CA_CERTS=/path/ca.pem in the environment (not in .env). Never switch the check off.';

/** @param text such as "DEPTH_ZERO_SELF_SIGNED_CERT", also within other words; null where it names no certificate */
export function findCertificateProblem(text: string): CertificateProblem | null {
  const code = text.split(/[^A-Z_]+/).find((word) => ANY_CODE.test(word));
  if (code === undefined) return null;
  const unknownSigner = BY_CODE[code];
  const shown = unknownSigner ?? OTHERS[code] ?? 'shows a certificate that does not verify';
  return { shown: `${shown} (${code})`, isUnknownSigner: unknownSigner !== undefined };
}
