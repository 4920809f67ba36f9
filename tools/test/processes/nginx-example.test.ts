// deploy/nginx.conf in front of a merchant. Only the example paths, ports, upstreams and the address of the own systems are replaced,
// and the certificate is a throw-away one.

import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../../../src/local/postgres/free-port';
import { selfSignedCertificate } from '../../../src/local/rehearsal/certificates';
import { API_KEY } from '../../../test/support/config';
import { eventually } from '../../../test/support/eventually';
import { describeWithNginx, nginxBinary, TEMPORARY_FOLDERS } from '../../../test/support/nginx';
import { paySilently, registerOrder } from '../../../test/support/orders';
import { send } from '../../../test/support/raw-http';
import { ROOT } from '../../../test/support/shop-copy';
import { useWorld } from '../../../test/support/use-world';

const HOST = 'cards.example.com';
/** On loopback a client can choose its address. */
const SERVICE = '127.0.0.2';
const STRANGER = '127.0.0.3';
const OWN_SYSTEM = '127.0.0.4';
const KEY = { authorization: `Bearer ${API_KEY}` };

const certificate = selfSignedCertificate(HOST);
let folder: string;
let ports: { http: number; https: number };

describeWithNginx('deploy/nginx.conf', () => {
  describe.each(['', '/my-shop/pay'])('with the prefix "%s"', testsWith);
});

function testsWith(prefix: string): void {
  const world = useWorld({
    environment: {
      WEBHOOK_SOURCE_ADDRESSES: SERVICE,
      PUBLIC_URL: `https://${HOST}`,
      ...(prefix !== '' && { PATH_PREFIX: prefix }),
    },
  });
  let nginx: ChildProcess | undefined;
  beforeAll(async () => {
    const [http = 0, https = 0] = await freePorts(2);
    ports = { http, https };
    folder = mkdtempSync(join(tmpdir(), 'nginx-example-'));
    // Started by root, its worker runs as another user.
    chmodSync(folder, 0o711);
    writeFileSync(join(folder, 'fullchain.pem'), certificate.cert);
    writeFileSync(join(folder, 'privkey.pem'), certificate.key);
    writeFileSync(join(folder, 'nginx.conf'), configurationHere(new URL(world.url).host));
    const flags = ['-p', folder, '-c', 'nginx.conf', '-e', join(folder, 'error.log'), '-g', 'daemon off;'];
    execFileSync(String(nginxBinary), [...flags, '-t'], { stdio: 'pipe' });
    nginx = spawn(String(nginxBinary), flags, { stdio: 'ignore' });
    await eventually(() =>
      ask(STRANGER, 'GET', '/readyz').then(
        ({ status }) => status === 200,
        () => false,
      ),
    );
  });
  afterAll(async () => {
    if (nginx) {
      nginx.kill('SIGTERM');
      await once(nginx, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  });

  test('a notification over TLS is recorded, and only the address that nginx sees counts', async () => {
    await registerOrder({ api: (method, path, body) => world.api(method, prefix + path, body) }, 'order-1');
    const { svc_uid: svcUid } = await paySilently(world, 'order-1');
    const body = JSON.stringify({ abc_uid: svcUid, merchant_uid: 'order-1', status: 'paid' });
    const forged = await ask(STRANGER, 'POST', `${prefix}/webhooks/payments`, body, {
      'x-forwarded-for': SERVICE,
    });
    expect(forged.status).toBe(403);
    expect(await world.rows.query('select from notifications')).toEqual([]);
    const genuine = await ask(SERVICE, 'POST', `${prefix}/webhooks/payments`, body, {
      'x-forwarded-for': STRANGER,
    });
    expect(genuine).toMatchObject({ status: 200, body: '{"outcome":"recorded"}' });
    expect(await world.rows.query('select status from orders')).toEqual([{ status: 'paid' }]);
  });

  test('a page is served over https, and plain http is redirected', async () => {
    expect(await ask(STRANGER, 'GET', `${prefix}/cards`)).toMatchObject({
      status: 200,
      body: expect.stringContaining('<h1>내 카드</h1>'),
    });
    const plain = await send(`http://127.0.0.1:${ports.http}`, `${prefix}/cards`, {
      method: 'GET',
      headers: { host: HOST },
    });
    expect([plain.status, plain.headers['location']]).toEqual([301, `https://${HOST}${prefix}/cards`]);
  });

  test.each([
    ['GET', '/api/orders', 200],
    ['GET', '/operator', 303],
    ['GET', '/docs', 200],
    ['GET', '/openapi.json', 200],
  ])('%s %s is open only to internal systems', async (method, path, status) => {
    expect((await ask(STRANGER, method, prefix + path, undefined, KEY)).status).toBe(403);
    expect((await ask(OWN_SYSTEM, method, prefix + path, undefined, KEY)).status).toBe(status);
  });

  test.each([
    '//operator',
    '/%6fperator',
    '/cards/../operator',
    '/cards/..%2foperator',
    '/./operator/orders',
    '/api/',
    '/api/orders/..%2F..%2Fcards',
    '//operator/%2e%2e/cards',
    '/docs/../cards',
  ])('%s does not bypass this', async (path) => {
    expect((await ask(STRANGER, 'GET', prefix + path, undefined, KEY)).status).toBe(403);
  });

  test('the path that doctor calls is open, for GET alone', async () => {
    const path = `${prefix}/api/source-address`;
    expect((await ask(STRANGER, 'GET', path, undefined, KEY)).status).toBe(200);
    expect((await ask(STRANGER, 'POST', path, '{}', KEY)).status).toBe(403);
  });

  test('the metrics are closed, a body that is too large is refused, and another host name gets no handshake', async () => {
    for (const path of ['/metrics', `${prefix}/metrics`, `/${prefix}/%6detrics`])
      expect((await ask(OWN_SYSTEM, 'GET', path, undefined, KEY)).status).toBe(404);
    expect((await ask(SERVICE, 'POST', `${prefix}/webhooks/payments`, 'x'.repeat(200_000))).status).toBe(413);
    await expect(ask(STRANGER, 'GET', `${prefix}/`, undefined, {}, 'other.example.com')).rejects.toThrow(
      /handshake|alert/,
    );
  });

  test('no access log contains the query of a request', async () => {
    await ask(STRANGER, 'GET', `${prefix}/cards?return_url=%2Fmember-7`);
    const log = () => readFileSync(join(folder, 'access.log'), 'utf8');
    await eventually(() => log().includes(`"GET ${prefix}/cards"`));
    expect(log()).not.toContain('member-7');
  });
}

/** @param upstream host and port of the merchant */
function configurationHere(upstream: string): string {
  const replacements: [RegExp, string][] = [
    [/pid \/run\/nginx\.pid;/, 'pid nginx.pid;'],
    [/\/var\/log\/nginx\//g, `${folder}/`],
    [/\/etc\/nginx\/tls\//g, `${folder}/`],
    [/^ *listen \[::\].*\n/gm, ''],
    [/listen 80;/, `listen 127.0.0.1:${ports.http};`],
    [/listen 443 /g, `listen 127.0.0.1:${ports.https} `],
    [/server 10\.0\.0\.11:3000/, `server ${upstream}`],
    [/^ *server 10\.0\.0\.12:3000.*\n/m, ''],
    [/allow 10\.0\.0\.0\/8;/, `allow ${OWN_SYSTEM};`],
    [/^http \{/m, `http {\n${TEMPORARY_FOLDERS}`],
  ];
  return replacements.reduce(
    (text, [pattern, replacement]) => {
      // Fails if the example has changed.
      expect(text).toMatch(pattern);
      return text.replace(pattern, replacement);
    },
    readFileSync(join(ROOT, 'deploy', 'nginx.conf'), 'utf8'),
  );
}

function ask(
  localAddress: string,
  method: string,
  path: string,
  body?: string,
  headers: Record<string, string> = {},
  servername = HOST,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host: '127.0.0.1',
      port: ports.https,
      ca: certificate.cert,
      servername,
      localAddress,
      method,
      path,
      agent: false,
      headers: {
        host: HOST,
        ...(body !== undefined && { 'content-type': 'application/json', 'content-length': body.length }),
        ...headers,
      },
    });
    outgoing.on('error', reject).on('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.on('error', reject).on('end', () => resolve({ status: answer.statusCode ?? 0, body: text }));
    });
    outgoing.end(body);
  });
}
