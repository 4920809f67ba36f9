// Parts of `doctor -- --live` that need no server of ours: the shop's files as each compiler leaves them, certificates and
// plain HTTP.

import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';
import {
  askPlainHttp,
  checkInside,
  judgeCertificate,
  judgeSignIn,
} from '../../../src/merchant/cli/check-public-pages';
import { checkShop, judgeShop } from '../../../src/merchant/cli/check-shop';
import * as builtInMembers from '../../../src/merchant/shop/built-in-members';

/** A function as tsc leaves it, which makes the image. */
function compiled(file: string, name: string): string {
  const source = readFileSync(join(__dirname, '..', '..', '..', file), 'utf8');
  const compilerOptions = { target: ScriptTarget.ES2023, module: ModuleKind.CommonJS };
  const { outputText } = transpileModule(source, { compilerOptions });
  return new RegExp(`async function ${name}\\([^]*?\\n}`).exec(outputText)?.[0] ?? '';
}

test('the files of the shop are known as ours, here and in the image, until they are replaced; where events are posted no function is needed', () => {
  const onOrderEvent = compiled('src/merchant/shop/on-order-event.ts', 'onOrderEvent');
  const shipped = { currentMember: builtInMembers.currentMember as unknown, onOrderEvent };
  const own = {
    currentMember: compiled('docs/examples/own-sign-in/shop/current-member.ts', 'currentMember'),
    onOrderEvent: compiled('docs/examples/mail/shop/on-order-event.ts', 'onOrderEvent'),
  };
  expect(own.onOrderEvent).toContain('sendMail');
  const states = (checks: { state: string }[]) => checks.map(({ state }) => state);
  // Of the first file it depends on whether a shop has replaced it here.
  expect(states(checkShop({ orderEvents: null }))[1]).toBe('warning');
  expect(states(judgeShop(shipped, false))).toEqual(['warning', 'warning']);
  expect(states(judgeShop(own, false))).toEqual(['ok', 'ok']);
  expect(states(judgeShop(shipped, true))).toEqual(['warning', 'ok']);
});

test('a certificate that ends within 14 days is a warning', () => {
  const now = new Date('2026-11-22T00:00:00Z');
  const ofDays = (days: number) => judgeCertificate(new Date(+now + days * 24 * 3_600_000), now).state;
  expect([14, 13].map(ofDays)).toEqual(['ok', 'warning']);
});

test.each<[number, string | undefined, string]>([
  [200, undefined, 'ok'],
  [303, '/sign-in', 'ok'],
  [303, 'https://shop.example.com/sign-in?return_to=x', 'ok'],
  [303, 'https://localhost/sign-in', 'failed'],
  [303, 'http://shop.example.com/sign-in', 'failed'],
  [500, undefined, 'failed'],
])('a stranger at the cards who is answered %i with Location %s is %s', (status, location, state) => {
  const headers = location === undefined ? {} : { location };
  expect(judgeSignIn({ status, headers })).toMatchObject({ state });
});

describe('from outside', () => {
  let server: Server;
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  async function serve(status: number, location?: string, onlyAt = ''): Promise<string> {
    server = createServer(({ url = '' }, response) => {
      const isHere = url.startsWith(onlyAt);
      response.writeHead(isHere ? status : 403, location === undefined ? {} : { location }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  test.each<[number, string | undefined, at: string, says: string]>([
    [303, '/operator/sign-in', '/operator', '/operator can be'],
    [401, undefined, '/api', '/api/orders can be'],
    [404, undefined, '', 'are closed from outside'],
    [302, 'https://sign-in.example.com/', '', 'are closed from outside'],
  ])('what your own people alone need answers %i (%s) at "%s": it %s', async (status, to, at, says) => {
    const state = at === '' ? 'ok' : 'warning';
    const inside = await checkInside(await serve(status, to, at));
    expect(inside).toMatchObject({ state, says: expect.stringContaining(says) });
  });

  test.each<[number, string | undefined, string]>([
    [301, 'https://shop.example.com/', 'ok'],
    [301, 'http://shop.example.com/cards', 'failed'],
    [200, undefined, 'failed'],
  ])('plain HTTP that answers %i to %s is %s', async (status, location, state) => {
    expect(await askPlainHttp(`${await serve(status, location)}/`)).toMatchObject({ state });
  });

  test('plain HTTP is well where nobody answers it', async () => {
    const url = await serve(200);
    await new Promise((resolve) => server.close(resolve));
    expect(await askPlainHttp(`${url}/`)).toMatchObject({ state: 'ok' });
  });
});
