// Parts of `doctor -- --live` that need no server of ours: the shop's files as each compiler leaves them, certificates, plain
// HTTP, and words for certificates.

import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';
import { findCertificateProblem } from '../../../src/merchant/cli/certificate-problem';
import {
  askPlainHttp,
  checkInside,
  checkPlainHttp,
  judgeCertificate,
  judgeHsts,
  judgeSignIn,
} from '../../../src/merchant/cli/check-public-pages';
import { checkShop, judgeShop } from '../../../src/merchant/cli/check-shop';
import * as builtInMembers from '../../../src/merchant/shop/built-in-members';

const ROOT = join(__dirname, '..', '..', '..');

describe('the files of the shop', () => {
  /** A function as tsc leaves it, which makes the image. */
  function compiled(file: string, name: string): string {
    const source = readFileSync(join(ROOT, file), 'utf8');
    const { outputText } = transpileModule(source, {
      compilerOptions: { target: ScriptTarget.ES2023, module: ModuleKind.CommonJS },
    });
    return new RegExp(`async function ${name}\\([^]*?\\n}`).exec(outputText)?.[0] ?? '';
  }
  const shipped = {
    currentMember: builtInMembers.currentMember as unknown,
    onOrderEvent: compiled('src/merchant/shop/on-order-event.ts', 'onOrderEvent'),
  };
  const own = {
    currentMember: compiled('docs/examples/own-sign-in/shop/current-member.ts', 'currentMember'),
    onOrderEvent: compiled('docs/examples/mail/shop/on-order-event.ts', 'onOrderEvent'),
  };
  const states = (checks: { state: string }[]) => checks.map(({ state }) => state);

  test('are known as ours, here and in the image', () => {
    // Of the first file it depends on whether a shop has replaced it here.
    expect(states(checkShop({ orderEvents: null }))[1]).toBe('warning');
    expect(states(judgeShop(shipped, false))).toEqual(['warning', 'warning']);
  });

  test('are the shop’s once they are replaced, and need no function where events are posted', () => {
    expect(own.currentMember).toContain('SESSION_COOKIE');
    expect(own.onOrderEvent).toContain('sendMail');
    expect(states(judgeShop(own, false))).toEqual(['ok', 'ok']);
    expect(states(judgeShop(shipped, true))).toEqual(['warning', 'ok']);
  });
});

test.each([
  [90, 'ok'],
  [14, 'ok'],
  [13, 'warning'],
  [0, 'warning'],
])('a certificate that lasts for %i days is %s', (days, state) => {
  const now = new Date('2026-11-22T00:00:00Z');
  const validTo = new Date(+now + days * 24 * 3_600_000);
  expect(judgeCertificate(validTo, now)).toMatchObject({
    state,
    says: expect.stringContaining(`${days} more days`),
  });
});

test.each([
  ['max-age=31536000; includeSubDomains', 'ok'],
  ['max-age="31536000"', 'ok'],
  ['max-age=0', 'warning'],
  [undefined, 'warning'],
])('Strict-Transport-Security as %j is %s', (header, state) => {
  expect(judgeHsts(header)).toMatchObject({ state });
});

let server: Server | undefined;
afterEach(() => new Promise((resolve) => (server?.listening ? server.close(resolve) : resolve(null))));

async function serve(status: number, location?: string, onlyAt = ''): Promise<string> {
  server = createServer(({ url = '' }, response) => {
    const isHere = url.startsWith(onlyAt);
    response.writeHead(isHere ? status : 403, location === undefined ? {} : { location }).end();
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server?.address() as AddressInfo).port}/`;
}

test.each<[number, string | undefined, string]>([
  [200, undefined, 'ok'],
  [404, undefined, 'ok'],
  [303, '/sign-in', 'ok'],
  [303, 'https://shop.example.com/sign-in?return_to=x', 'ok'],
  [303, 'http://localhost:8080/sign-in?return_to=x', 'failed'],
  [303, 'https://localhost/sign-in', 'failed'],
  [303, 'https://127.0.0.1/sign-in', 'failed'],
  [303, 'http://shop.example.com/sign-in', 'failed'],
  [500, undefined, 'failed'],
])('a stranger at the cards who is answered %i with Location %s is %s', (status, location, state) => {
  expect(judgeSignIn({ status, headers: location === undefined ? {} : { location } })).toMatchObject({
    state,
  });
});

describe('what only your own people need', () => {
  test.each<[number, string | undefined, string]>([
    [303, '/operator/sign-in', '/operator'],
    [200, undefined, '/docs'],
    [200, undefined, '/openapi.json'],
    [401, undefined, '/api'],
  ])('answers %i (%s) at %s from outside: a warning names it, and nothing else', async (status, to, path) => {
    const { origin } = new URL(await serve(status, to, path));
    const { state, says } = await checkInside(origin);
    expect([state, says.match(/\/[a-z]+/)?.[0]]).toEqual(['warning', path.replace('.json', '')]);
    expect(says).not.toContain(', ');
  });

  test.each<[number, string | undefined]>([
    [403, undefined],
    [404, undefined],
    [302, 'https://sign-in.example.com/'],
  ])('answers %i (%s): it is kept inside', async (status, to) => {
    const { origin } = new URL(await serve(status, to));
    expect(await checkInside(origin)).toMatchObject({ state: 'ok' });
  });
});

describe('plain HTTP', () => {
  test.each<[number, string | undefined, string]>([
    [301, 'https://shop.example.com/', 'ok'],
    [308, 'https://shop.example.com/', 'ok'],
    [301, 'http://shop.example.com/cards', 'failed'],
    [200, undefined, 'failed'],
    [403, undefined, 'failed'],
  ])('that answers %i to %s is %s', async (status, location, state) => {
    expect(await askPlainHttp(await serve(status, location))).toMatchObject({ state });
  });

  test('is well where nobody answers it, and not looked for beside a port of one’s own', async () => {
    const url = await serve(200);
    await new Promise((resolve) => server?.close(resolve));
    expect(await askPlainHttp(url)).toMatchObject({ state: 'ok' });
    expect(await checkPlainHttp('https://shop.example.com:8443')).toMatchObject({ state: 'skipped' });
  });
});

test.each([
  ['no access token: SELF_SIGNED_CERT_IN_CHAIN', /a CA which this machine does not know/, true],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /without those between/, true],
  ['CERT_HAS_EXPIRED', /has expired/, false],
  ['CERT_NOT_YET_VALID', /clock/, false],
  ['CERT_SIGNATURE_FAILURE', /does not verify/, false],
])('%s says what is wrong', (text, shown, isUnknownSigner) => {
  expect(findCertificateProblem(text)).toEqual({ shown: expect.stringMatching(shown), isUnknownSigner });
});

test.each(['ECONNREFUSED', 'deadline passed', ''])('%j is about no certificate', (text) => {
  expect(findCertificateProblem(text)).toBeNull();
});
