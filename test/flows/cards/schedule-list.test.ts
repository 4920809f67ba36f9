// A card is removed where the service's list of a key's schedules is as its public description says (§4.9): refused
// without both ends, and a plain array (M31).

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMemberBrowser, type MemberBrowser } from '../../support/member-browser';
import { startWorld, type World } from '../../support/world';

const UNSCHEDULE = 'POST /subscribe/payments/unschedule';
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const YEAR = 365 * 24 * HOUR;

let list: StrictScheduleList;
let world: World;
let member: MemberBrowser;
beforeAll(async () => {
  list = await startStrictScheduleList();
  world = await startWorld({ environment: { SERVICE_BASE_URL: list.url } });
  list.target = world.sandbox.url;
});
beforeEach(() => {
  Object.assign(list, { asked: [], answers: [], ignoresStatus: false });
  member = createMemberBrowser(world);
});
afterAll(async () => {
  await world.close();
  await new Promise((resolve) => list.server.close(resolve));
});

const nowSeconds = () => Math.floor(world.clock.now().getTime() / 1000);

async function schedule(customerUid: string, merchantUid: string, inSeconds: number): Promise<void> {
  const { status } = await world.api('POST', '/api/schedules', {
    customer_uid: customerUid,
    merchant_uid: merchantUid,
    schedule_at: nowSeconds() + inSeconds,
    amount: 1000,
    name: 'Tea of the month',
  });
  expect(status).toBe(201);
}

/** The card is gone from the list, and no question to the service was refused. */
async function expectRemoved(customerUid: string): Promise<void> {
  expect((await member.remove(await member.openRemoval(customerUid))).status).toBe(303);
  expect(await member.cards()).toEqual([]);
  expect(new Set(list.answers)).toEqual(new Set([200]));
}

test('a card without schedules is removed, and the list was asked from the past to years ahead', async () => {
  const { customerUid } = await member.register();
  await expectRemoved(customerUid);
  const [{ from, to }] = list.asked as [{ from: number; to: number }];
  expect(from).toBeLessThan(nowSeconds() - 24 * HOUR);
  expect(to).toBeGreaterThan(nowSeconds() + 10 * YEAR);
});

test.each([
  ['within the hour', HOUR],
  ['years ahead', 9 * YEAR],
  ['further ahead than is asked for without our own rows', 30 * YEAR],
])('what is scheduled %s is revoked before the key is deleted', async (when, ahead) => {
  const { customerUid } = await member.register();
  const merchantUid = `ahead-${when.length}`;
  await schedule(customerUid, merchantUid, ahead);
  await expectRemoved(customerUid);
  const charges = await world.rows.query('select status from charges where merchant_uid = $1', [merchantUid]);
  expect(charges).toEqual([{ status: 'revoked' }]);
});

test('an array that shows what was executed as well is no reason to revoke', async () => {
  const { customerUid } = await member.register();
  await schedule(customerUid, 'executed', MINUTE);
  await world.advance(MINUTE);
  list.ignoresStatus = true;
  const before = await world.sandbox.requests(UNSCHEDULE);
  await expectRemoved(customerUid);
  expect((await world.sandbox.requests(UNSCHEDULE)) - before).toBe(0);
});

type StrictScheduleList = {
  server: Server;
  url: string;
  target: string;
  /** Leaves `schedule-status` unread. */
  ignoresStatus: boolean;
  asked: { from: number; to: number }[];
  answers: number[];
};

/** Stands before the sandbox and changes that list: 400 without `from` and `to`, an array, and `to` is exclusive. */
async function startStrictScheduleList(): Promise<StrictScheduleList> {
  const list: Omit<StrictScheduleList, 'server' | 'url'> = {
    target: '',
    ignoresStatus: false,
    asked: [],
    answers: [],
  };
  const server = createServer((request, response) => {
    void (async () => {
      const url = new URL(request.url ?? '/', list.target);
      const isList = url.pathname.startsWith('/subscribe/payments/schedule/customers/');
      const [from, to] = [url.searchParams.get('from'), url.searchParams.get('to')];
      if (isList && list.ignoresStatus) url.searchParams.delete('schedule-status');
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { method = 'GET', headers } = request;
      const sent = await fetch(url, {
        method,
        headers: Object.fromEntries(
          ['authorization', 'content-type'].flatMap((name) => (headers[name] ? [[name, headers[name]]] : [])),
        ) as Record<string, string>,
        ...(method === 'GET' ? {} : { body: Buffer.concat(chunks).toString() }),
      });
      let [status, text] = [sent.status, await sent.text()];
      if (isList) {
        if (from === null || to === null)
          [status, text] = [400, JSON.stringify({ code: -1, message: 'from and to', response: null })];
        else {
          list.asked.push({ from: Number(from), to: Number(to) });
          text = JSON.stringify(asArray(JSON.parse(text), Number(to)));
        }
        list.answers.push(status);
      }
      response.writeHead(status, { 'content-type': 'application/json' }).end(text);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(list, { server, url });
}

function asArray(envelope: any, to: number): unknown {
  const { response } = envelope as { response: { list?: unknown[] } | unknown[] };
  const records = (Array.isArray(response) ? response : (response.list ?? [])) as { schedule_at: number }[];
  return { ...envelope, response: records.filter(({ schedule_at }) => schedule_at < to) };
}
