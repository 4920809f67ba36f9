// TLS for tests: a certificate, and a reverse proxy that terminates TLS.

import { generateKeyPairSync, sign } from 'node:crypto';
import { request as requestPlain, type IncomingMessage } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

export type Certificate = { cert: string; key: string };

const SEQUENCE = 0x30;
const ECDSA_WITH_SHA256 = der(SEQUENCE, Buffer.from('06082a8648ce3d040302', 'hex'));
const COMMON_NAME = Buffer.from('0603550403', 'hex');
const SUBJECT_ALT_NAME = Buffer.from('0603551d11', 'hex');

/** Valid from 2020 to 2049. */
export function selfSignedCertificate(hostname: string): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const text = Buffer.from(hostname, 'ascii');
  const name = der(SEQUENCE, der(0x31, der(SEQUENCE, COMMON_NAME, der(0x0c, text))));
  const validity = der(SEQUENCE, utcTime('200101000000Z'), utcTime('491231235959Z'));
  const extension = der(SEQUENCE, SUBJECT_ALT_NAME, der(0x04, der(SEQUENCE, der(0x82, text))));
  const content = der(
    SEQUENCE,
    der(0xa0, Buffer.from('020102', 'hex')),
    Buffer.from('020101', 'hex'),
    ECDSA_WITH_SHA256,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, extension)),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', content, privateKey));
  const base64 = der(SEQUENCE, content, ECDSA_WITH_SHA256, signature).toString('base64');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

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

export type TlsFront = Awaited<ReturnType<typeof startTlsFront>>;

export async function startTlsFront(certificate: Certificate) {
  let target: string | null = null;
  let mode: 'adds' | 'silent' = 'adds';
  let inside: RegExp | null = null;
  let count = 0;
  const server = createHttpsServer(certificate, (incoming, response) => {
    if (target === null) return response.writeHead(502).end();
    if (inside?.test(incoming.url ?? '/')) return response.writeHead(403).end();
    count += 1;
    const url = new URL(incoming.url ?? '/', target);
    const outgoing = requestPlain(
      url,
      {
        method: incoming.method,
        headers: { ...incoming.headers, ...(mode === 'adds' ? forwarded(incoming) : { host: url.host }) },
        agent: false,
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    outgoing.on('error', () => response.destroy());
    return incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    /** Sets the upstream; before that, requests are answered with a 502. */
    leadTo: (url: string) => void (target = url),
    /**
     * `adds`: appends the sender to X-Forwarded-For and passes on Host. `silent`: passes on X-Forwarded-For unchanged and sets Host
     * to the upstream, which is nginx's default.
     */
    setHeaders: (wanted: 'adds' | 'silent') => void (mode = wanted),
    /** Answers matching paths with a 403 from now on, as deploy/nginx.conf does for outside clients. */
    keepInside: (paths: RegExp) => void (inside = paths),
    /** The number of requests passed on. */
    passedOn: () => count,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function forwarded({ socket, headers }: IncomingMessage): Record<string, string> {
  const before = headers['x-forwarded-for'];
  const { remoteAddress = '' } = socket;
  return { 'x-forwarded-for': before === undefined ? remoteAddress : `${String(before)}, ${remoteAddress}` };
}
