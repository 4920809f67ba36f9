// Certificates for one machine: an authority of our own and what it signs, or a certificate that signs itself. Node.js makes keys
// and signatures, but no certificates.

import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

export type Certificate = { cert: string; key: string };
type Authority = {
  /** What programs have to trust. */
  cert: string;
  issue(hostname: string): Certificate;
};

type Keys = { publicKey: KeyObject; privateKey: KeyObject };
type Signer = { name: string; privateKey: KeyObject };

const SEQUENCE = 0x30;
const ECDSA_WITH_SHA256 = der(SEQUENCE, Buffer.from('06082a8648ce3d040302', 'hex'));
const COMMON_NAME = Buffer.from('0603550403', 'hex');
const SUBJECT_ALT_NAME = Buffer.from('0603551d11', 'hex');
/** Basic constraints, critical: this certificate may sign others. */
const IS_AUTHORITY = der(SEQUENCE, Buffer.from('0603551d130101ff040530030101ff', 'hex'));

export function createAuthority(): Authority {
  const name = 'authority of this machine';
  const keys = newKeys();
  const signer = { name, privateKey: keys.privateKey };
  return {
    cert: certificate(name, keys, signer, IS_AUTHORITY),
    issue(hostname) {
      const own = newKeys();
      return { cert: certificate(hostname, own, signer, forHost(hostname)), key: pem(own) };
    },
  };
}

export function selfSignedCertificate(hostname: string): Certificate {
  const keys = newKeys();
  const signer = { name: hostname, privateKey: keys.privateKey };
  return { cert: certificate(hostname, keys, signer, forHost(hostname)), key: pem(keys) };
}

/** Valid from 2020 to 2049. */
function certificate(subject: string, { publicKey }: Keys, signer: Signer, extension: Buffer): string {
  const validity = der(SEQUENCE, utcTime('200101000000Z'), utcTime('491231235959Z'));
  const content = der(
    SEQUENCE,
    der(0xa0, Buffer.from('020102', 'hex')),
    Buffer.from('020101', 'hex'),
    ECDSA_WITH_SHA256,
    distinguishedName(signer.name),
    validity,
    distinguishedName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, extension)),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', content, signer.privateKey));
  const base64 = der(SEQUENCE, content, ECDSA_WITH_SHA256, signature).toString('base64');
  // No empty line before the end: OpenSSL would not read the certificate.
  const lines = base64.match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

const newKeys = (): Keys => generateKeyPairSync('ec', { namedCurve: 'P-256' });

const pem = ({ privateKey }: Keys) => privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

const distinguishedName = (name: string) =>
  der(SEQUENCE, der(0x31, der(SEQUENCE, COMMON_NAME, der(0x0c, Buffer.from(name, 'ascii')))));

const forHost = (hostname: string) =>
  der(SEQUENCE, SUBJECT_ALT_NAME, der(0x04, der(SEQUENCE, der(0x82, Buffer.from(hostname, 'ascii')))));

function utcTime(text: string): Buffer {
  return der(0x17, Buffer.from(text, 'ascii'));
}

/** Tag, length, content. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
