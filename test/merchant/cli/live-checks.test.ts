// Parts of `doctor -- --live` that need no server of ours: the shop's files, certificates, the sign-in, closed routes, and plain
// HTTP.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  askPlainHttp,
  checkInside,
  judgeCertificate,
  judgeSignIn,
} from '../../../src/merchant/cli/check-public-pages';
import { checkShop } from '../../../src/merchant/cli/check-shop';
import { currentMember } from '../../support/shop/current-member';
import { onOrderEvent } from '../../support/shop/on-order-event';

test('the shipped files of the shop are recognised until they are replaced; with ORDER_EVENTS_URL no function is needed', () => {
  const shipped = { currentMember, onOrderEvent };
  const own = { currentMember: () => 'member-7', onOrderEvent: () => undefined };
  const states = (files: Parameters<typeof checkShop>[1], postsEvents: boolean) =>
    checkShop(postsEvents, files).map(({ state }) => state);
  expect(states(shipped, false)).toEqual(['warning', 'warning']);
  expect(states(own, false)).toEqual(['ok', 'ok']);
  expect(states(shipped, true)).toEqual(['warning', 'ok']);
});

test('a certificate that expires within 14 days is a warning', () => {
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
])('an answer %i with Location %s to a visitor of the cards is %s', (status, location, state) => {
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
    // A shop may have more routes of its own.
    [303, '/sign-in', '/api', '/api/orders'],
    [401, undefined, '/api', '/api/orders'],
    [404, undefined, '', 'are closed from outside'],
    [302, 'https://sign-in.example.com/', '', 'are closed from outside'],
  ])('an internal page that answers %i (%s) at "%s": "%s" is said', async (status, to, at, says) => {
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

  test('plain HTTP without an answer is accepted', async () => {
    const url = await serve(200);
    await new Promise((resolve) => server.close(resolve));
    expect(await askPlainHttp(`${url}/`)).toMatchObject({ state: 'ok' });
  });
});
