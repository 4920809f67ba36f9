// Card data, tokens and secrets appear in no log, row, page, error or dump of either program, whatever fails (chapter J of
// docs/13-faults.md).

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultConfig } from '../../src/sandbox/config';
import { createMemberBrowser } from '../support/browsers';
import { getAccessToken } from '../support/calls';
import { CARD, DECLINED_CARD } from '../support/cards';
import { API_KEY, FORM_SECRET, MEMBER_SECRET, OPERATOR_PASSWORD } from '../support/config';
import { memberIdOf, registerKey } from '../support/keys';
import { expectNowhere } from '../support/leak-search';
import { answerNextFetch, paySilently, registerOrder, sendNotification } from '../support/orders';
import { send } from '../support/raw-http';
import { repositoryFiles } from '../support/repository-files';
import { FIND_KEYS, ISSUE_KEY, TOKEN } from '../support/sandbox-controls';
import { useWorld } from '../support/use-world';
import { SERVICE_ADDRESS } from '../support/world';

const ROOT = join(__dirname, '..', '..');
const NUMBER = '5409-1357-2468-9012';
const FAULT_KINDS = ['status', 'reset', 'html', 'garbage', 'redirect', 'lost_response', 'unauthorized'];
/** Spellings of the member's input; the two password digits are too short to search for alone. */
const CARD_CANARIES = ['5409135724689012', NUMBER, '2037-11', '11 / 2037', '"86"', 'pwd_2digit":'];

const world = useWorld({ logLevel: 'trace' });
let secrets: string[];
/** All answers. */
const answers: string[] = [];

beforeAll(async () => {
  const token = await getAccessToken(world);
  const password = new URL(world.databaseUrl).password;
  const ours = [API_KEY, FORM_SECRET, MEMBER_SECRET, OPERATOR_PASSWORD];
  secrets = [token, 'sandbox_secret', 'sandbox_api_key', defaultConfig.webhookSecret, ...ours, password];
  await everythingThatGoesWrong();
});

/** An issuance by the use cases, and the error that it ends with in our log. */
async function tryCard(changes: Parameters<typeof registerKey>[1] = {}): Promise<void> {
  await registerKey(world, changes).catch((error: unknown) => world.context().logger.error({ err: error }));
}

/** Issues keys and sends notifications with every fault, and records every answer. */
async function everythingThatGoesWrong(): Promise<void> {
  const keep = (answer: { html?: string; body?: string }) => answers.push(answer.html ?? answer.body ?? '');
  for (const kind of FAULT_KINDS) {
    for (const endpoint of [ISSUE_KEY, FIND_KEYS, TOKEN]) {
      const browser = createMemberBrowser(world);
      const memberId = await memberIdOf(browser);
      await world.sandbox.fault({ endpoint, kind, times: 1, ...(kind === 'status' && { status: 500 }) });
      await world.sandbox.advance(3600);
      world.clock.advance(3600);
      await tryCard({ memberId });
      keep(await browser.get('/cards'));
      await world.sandbox.clearFaults();
    }
  }
  await tryCard({ card_number: DECLINED_CARD });
  await tryCard();
  const message = `bad card ${NUMBER} \u001b[31m\r\n{"level":60} <script>x</script>`;
  const echoed = { code: -1, message, response: null };
  await world.sandbox.fault({ endpoint: ISSUE_KEY, kind: 'status', status: 400, body: echoed });
  await tryCard();
  const sender = { 'x-forwarded-for': SERVICE_ADDRESS, authorization: `Bearer ${API_KEY}` };
  const headers = { ...sender, 'content-type': 'application/json' };
  for (const path of ['/webhooks/payments', '/api/orders'])
    keep(await send(world.url, path, { headers, body: `{"card":"${NUMBER}",` }));
  // A signed notification, one with a signature that does not match, and one whose signature is the secret by mistake.
  await world.sandbox.settings({ generation: 'newer', newer_signed: true });
  await registerOrder(world, 'signed');
  await world.sandbox.pay({ merchant_uid: 'signed', amount: 1000 });
  await world.sandbox.settings({ generation: 'legacy', newer_signed: false });
  const time = String(Math.floor(world.clock.now().getTime() / 1000));
  for (const signature of ['v1,wrong', `v1,${defaultConfig.webhookSecret}`]) {
    const signed = { 'webhook-id': 'msg_1', 'webhook-timestamp': time, 'webhook-signature': signature };
    keep(await send(world.url, '/webhooks/payments', { headers: { ...headers, ...signed }, body: '{}' }));
  }
  const told = { ...headers, cookie: 'a=790523', referer: 'http://x/?c=5409135724689012' };
  const body = JSON.stringify({ merchant_uid: NUMBER, amount: NUMBER });
  keep(await send(world.url, `/api/orders?card_number=${NUMBER}`, { headers: told, body }));
  for (let minute = 0; minute < 20; minute += 5) await world.advance(300);
}

function expectClean(text: string, canaries: readonly string[]): void {
  expect(canaries.filter((canary) => text.includes(canary))).toEqual([]);
  // Its six digits can occur in a time.
  expectNowhere(text, [CARD.birth]);
}

test('J1, J2, J5, J7 the merchant’s log contains no card data, token or secret, whatever fails', () => {
  expect(world.log.lines().length).toBeGreaterThan(50);
  expectClean(world.log.text(), [...CARD_CANARIES, ...secrets]);
});

test('J7 the log contains no query, cookie, authorization or referer', () => {
  const names = ['card_number=', 'cookie', 'authorization', 'referer', 'bearer'];
  expectClean(world.log.text().toLowerCase(), names);
});

test('J14 every log event is one line of JSON', () => {
  for (const line of world.log.text().trimEnd().split('\n'))
    expect(() => JSON.parse(line) as unknown).not.toThrow();
  expect(world.log.text()).not.toContain('\u001b');
});

test('J9, J12 no row of any table contains card data or a secret, jobs included', async () => {
  const dump = await world.rows.dump();
  expect(dump).toContain('billing_keys');
  expectClean(dump, [...CARD_CANARIES, ...secrets]);
});

test('J8, J13 no answer contains card data or a secret, and an echoed number is masked', () => {
  expect(answers.length).toBeGreaterThan(20);
  const values = CARD_CANARIES.filter((canary) => canary !== 'pwd_2digit":');
  expectClean(answers.join('\n'), [...values, ...secrets, '<script>x']);
});

test('J10 digits that may not be shown are masked on arrival', async () => {
  await registerOrder(world, 'masked');
  const { svc_uid } = await paySilently(world, 'masked');
  const fields = `,"amount":1000,"card_number":"5409135724689012","buyer_name":"card ${NUMBER}"`;
  await answerNextFetch(world, svc_uid, 'masked', fields);
  await sendNotification(world, svc_uid, 'masked');
  const [row] = await world.rows.query<{ card_number: string; record: string }>(
    'select card_number, record::text from payments where svc_uid = $1',
    [svc_uid],
  );
  expect(row?.card_number.replace(/\D/g, '')).toMatch(/^(5409(13)?)?9012$/);
  expectClean(row?.record ?? '', CARD_CANARIES);
});

test('J16 the sandbox neither logs nor stores card data', async () => {
  const requests = await world.sandbox.call('GET', '/requests');
  const state = JSON.stringify([requests, await world.sandbox.notifications()]);
  expectClean(state + world.sandboxLog.text(), [...CARD_CANARIES, ...secrets]);
});

test('J6 a crash prints its location and not its message', () => {
  const crash = `
    require('tsx/cjs');
    const { createLogger } = require('./src/merchant/platform/logger.ts');
    process.on('uncaughtException', (error) => { createLogger('info').fatal({ err: error }); process.exit(1); });
    const error = new Error('card ${NUMBER}');
    error.config = { data: '${NUMBER}' };
    throw error;`;
  const options = { cwd: ROOT, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', crash], options);
  expect(status).toBe(1);
  const printed = stdout + stderr;
  expect(printed).toContain('"type":"Error"');
  expectClean(printed, CARD_CANARIES);
});

test('J4 a database error shows a code and no value', async () => {
  const before = world.log.text().length;
  await world.rows.query(`create function repeat_name() returns trigger language plpgsql as
    $$ begin raise exception 'the name is %', new.name; end $$`);
  await world.rows.query(
    'create trigger repeat_name before insert on orders for each row execute function repeat_name()',
  );
  try {
    const order = { merchant_uid: 'canary-order', name: 'canary-name', amount: 1000 };
    const answer = await world.api('POST', '/api/orders', order);
    expect(answer).toMatchObject({ status: 503, body: { error: { code: 'database_unavailable' } } });
    expect(JSON.stringify(answer.body)).not.toContain('canary');
  } finally {
    await world.rows.query('drop function repeat_name cascade');
  }
  const written = world.log.text().slice(before);
  expect(written).toContain('DatabaseError');
  expect(written).not.toContain('canary-name');
});

test('J3 an error page for an unknown route shows no stack, path or version', async () => {
  const authorized = { method: 'GET', headers: { authorization: `Bearer ${API_KEY}` } };
  const outside = '/static/..%2f..%2fpackage.json';
  for (const path of ['/%', '/nothing', '/api/nothing', outside, '/cards/%E0%A4%A']) {
    const { status, body, headers } = await send(world.url, path, authorized);
    expect([400, 403, 404]).toContain(status);
    expectClean(body, ['node_modules', ' at ', 'Error:', 'URIError', ROOT]);
    expect(headers['x-powered-by']).toBeUndefined();
  }
});

test('J11 the image writes no core dumps, heap snapshots or reports', () => {
  const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
  expect(dockerfile).toMatch(/ulimit -c 0/);
  expect(dockerfile).not.toMatch(/--report|--heapsnapshot|--inspect/);
});

test('J15 the repository contains no secret', () => {
  expect(repositoryFiles(ROOT).filter((file) => /(^|\/)\.env$|\.secret$|\.pem$|\.key$/.test(file))).toEqual(
    [],
  );
});
