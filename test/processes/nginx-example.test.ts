// deploy/nginx.conf as it stands, in front of a merchant: only paths, ports, upstreams and the address of the own systems
// are put in place of its examples, and the certificate is a throw-away one.

import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as requestPlain } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../src/local/postgres/free-port';
import { selfSignedCertificate } from '../support/certificate';
import { API_KEY } from '../support/config';
import { eventually } from '../support/eventually';
import { findNginx } from '../support/nginx';
import { paySilently, registerOrder } from '../support/orders';
import { ROOT } from '../support/shop-copy';
import { startWorld, type World } from '../support/world';

const HOST = 'shop.example.com';
/** On loopback a client can choose its address. */
const SERVICE = '127.0.0.2';
const STRANGER = '127.0.0.3';
const OWN_SYSTEM = '127.0.0.4';

const nginxBinary = findNginx();
const withNginx = nginxBinary === null ? describe.skip : describe;
if (nginxBinary === null)
  process.stderr.write('deploy/nginx.conf: skipped, nginx is not here (apt-get install nginx-light).\n');

const certificate = selfSignedCertificate(HOST);
let world: World;
let folder: string;
let nginx: ChildProcess | undefined;
let ports: { http: number; https: number };

withNginx('deploy/nginx.conf', () => {
  beforeAll(async () => {
    world = await startWorld({
      environment: { WEBHOOK_SOURCE_ADDRESSES: SERVICE, PUBLIC_URL: `https://${HOST}` },
    });
    ports = { http: Number(await freePort(0)), https: Number(await freePort(0)) };
    folder = mkdtempSync(join(tmpdir(), 'nginx-example-'));
    // Started by root, its worker is somebody else.
    chmodSync(folder, 0o711);
    writeFileSync(join(folder, 'fullchain.pem'), certificate.cert);
    writeFileSync(join(folder, 'privkey.pem'), certificate.key);
    writeFileSync(join(folder, 'nginx.conf'), configurationHere());
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
    await world?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('a notification through TLS is recorded, and only the address that nginx has seen counts', async () => {
    await registerOrder(world, 'order-1');
    const { svc_uid: svcUid } = await paySilently(world, 'order-1');
    const body = JSON.stringify({ abc_uid: svcUid, merchant_uid: 'order-1', status: 'paid' });
    const forged = await ask(STRANGER, 'POST', '/webhooks/payments', body, { 'x-forwarded-for': SERVICE });
    expect(forged.status).toBe(403);
    expect(await world.rows.query('select from notifications')).toEqual([]);
    const genuine = await ask(SERVICE, 'POST', '/webhooks/payments', body, { 'x-forwarded-for': STRANGER });
    expect(genuine).toMatchObject({ status: 200, body: '{"outcome":"recorded"}' });
    expect(await world.rows.query('select status from orders')).toEqual([{ status: 'paid' }]);
  });

  test('the card form is served over https, and plain http is sent there', async () => {
    expect(await ask(STRANGER, 'GET', '/cards/new')).toMatchObject({
      status: 200,
      body: expect.stringContaining('card_number'),
    });
    const plain = await new Promise<{ status: number | undefined; location: string | undefined }>(
      (resolve, reject) => {
        const outgoing = requestPlain(`http://127.0.0.1:${ports.http}/cards/new`, { agent: false });
        outgoing.on('error', reject).on('response', (answer) => {
          answer.resume();
          resolve({ status: answer.statusCode, location: answer.headers.location });
        });
        outgoing.end();
      },
    );
    expect(plain).toEqual({ status: 301, location: `https://${HOST}/cards/new` });
  });

  test.each([
    ['GET', '/api/orders', 200],
    ['GET', '/operator', 303],
    ['GET', '/operator/sign-in', 200],
    ['GET', '/docs', 200],
    ['GET', '/openapi.json', 200],
  ])('%s %s is open to the own systems alone', async (method, path, status) => {
    const key = { authorization: `Bearer ${API_KEY}` };
    expect((await ask(STRANGER, method, path, undefined, key)).status).toBe(403);
    expect((await ask(OWN_SYSTEM, method, path, undefined, key)).status).toBe(status);
  });

  test.each(['//operator', '/./operator', '/%6fperator', '/cards/../operator', '/operator/', '/api/'])(
    '%s is no way around it',
    async (path) => {
      expect((await ask(STRANGER, 'GET', path)).status).toBe(403);
    },
  );

  test('doctor sees from outside as whom a sender arrives, with the key and by GET alone', async () => {
    const key = { authorization: `Bearer ${API_KEY}` };
    const answer = await ask(STRANGER, 'GET', '/api/source-address', undefined, key);
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([200, { client: STRANGER }]);
    expect((await ask(STRANGER, 'GET', '/api/source-address')).status).toBe(401);
    expect((await ask(STRANGER, 'POST', '/api/source-address', '{}', key)).status).toBe(403);
  });

  test('the metrics are open to nobody', async () => {
    const key = { authorization: `Bearer ${API_KEY}` };
    expect((await ask(OWN_SYSTEM, 'GET', '/metrics', undefined, key)).status).toBe(404);
  });

  test('a body that is too large is refused before it reaches a merchant', async () => {
    const { status } = await ask(SERVICE, 'POST', '/webhooks/payments', 'x'.repeat(200_000));
    expect(status).toBe(413);
  });

  test('another name gets no handshake', async () => {
    await expect(ask(STRANGER, 'GET', '/', undefined, {}, 'other.example.com')).rejects.toThrow(
      /handshake|alert/,
    );
  });

  test('no access log holds the query of a request', async () => {
    await ask(STRANGER, 'GET', '/cards/new?return_url=%2Fmember-7');
    await eventually(() => readFileSync(join(folder, 'access.log'), 'utf8').includes('"GET /cards/new"'));
    expect(readFileSync(join(folder, 'access.log'), 'utf8')).not.toContain('member-7');
  });
});

function configurationHere(): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (each) => `${each}_temp_path ${each};`,
  );
  const replacements: [RegExp, string][] = [
    [/pid \/run\/nginx\.pid;/, 'pid nginx.pid;'],
    [/\/var\/log\/nginx\//g, `${folder}/`],
    [/\/etc\/nginx\/tls\//g, `${folder}/`],
    [/^ *listen \[::\].*\n/gm, ''],
    [/listen 80;/, `listen 127.0.0.1:${ports.http};`],
    [/listen 443 /g, `listen 127.0.0.1:${ports.https} `],
    [/server 10\.0\.0\.11:3000/, `server ${new URL(world.url).host}`],
    [/^ *server 10\.0\.0\.12:3000.*\n/m, ''],
    [/allow 10\.0\.0\.0\/8;/, `allow ${OWN_SYSTEM};`],
    [/^http \{/m, `http {\n${temporary.join('\n')}`],
  ];
  return replacements.reduce(
    (text, [pattern, replacement]) => {
      // An example that has changed is noticed here.
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
