// A card, secrets, tokens and a buyer's phone number go through every route, failure and crash of both programs, as real processes.
// Then all outputs, files, rows, database files, answers, posted events and the sandbox's state are searched for them. The last tests
// show that the search finds every encoding.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../../../test/support/eventually';
import { findLeaksInBytes, type Canary, type Leak } from '../../../test/support/leak-search';
import { createSandboxControls, FETCH_PAYMENT, ISSUE_KEY } from '../../../test/support/sandbox-controls';
import { startEventsReceiver, type EventsReceiver } from '../../../test/support/shop-events';
import { useSurroundings } from '../../../test/support/use-surroundings';
import {
  CANARY_TEL,
  CARD_CANARIES,
  dumpAsJson,
  newCard,
  searchFor,
  SECRET_CANARIES,
  SECRETS,
  TEL_CANARY,
} from '../../proof/canaries/canaries';
import {
  ask,
  openForms,
  payOnetime,
  post,
  tourAllRoutes,
  tourCardForm,
  tourOnetime,
  tourOperatorPages,
  type Tour,
} from '../../proof/canaries/canary-tour';
import { startCapturedProcess, type CapturedProcess } from '../../proof/captured-process';

const MEMBER = 'member-of-the-tour';

/** Its database; the sandbox is a process as well. */
const around = useSurroundings();
let receiver: EventsReceiver;
let sandbox: CapturedProcess;
let merchant: CapturedProcess;
/** Every merchant process that ran, and every crash of one. */
const merchants: CapturedProcess[] = [];
const exits: (number | null)[] = [];
let tour: Tour;
/** The answers of the merchant's own routes about the erased buyer. */
const answersAfterErasure: string[] = [];
/** Cards and secrets, with the token and the password of this run. */
let canaries: readonly Canary[];

beforeAll(async () => {
  receiver = await startEventsReceiver(SECRETS.ORDER_EVENTS_SECRET);
  const { SERVICE_KEY, SERVICE_SECRET, SERVICE_API_KEY, WEBHOOK_SECRET } = SECRETS;
  const credentials = { SERVICE_KEY, SERVICE_SECRET, SERVICE_API_KEY, WEBHOOK_SECRET };
  sandbox = await startCapturedProcess('sandbox', { ...credentials, LOG_LEVEL: 'trace' });
  merchant = await startMerchant();
  const controls = createSandboxControls(sandbox.url);
  await controls.settings({ webhook_url: `${merchant.url}/webhooks/payments` });
  const token = await tokenOf('/users/getToken', { svc_key: SERVICE_KEY, svc_secret: SERVICE_SECRET });
  const newer = await tokenOf('/v2/signin/api-key', { api_key: SERVICE_API_KEY });
  tour = { url: () => merchant.url, sandbox: controls, answers: [], token };
  canaries = [
    ...CARD_CANARIES,
    ...SECRET_CANARIES,
    { name: 'token', values: [token] },
    { name: 'newer token', values: [newer] },
    { name: 'database password', values: [new URL(around.database.url).password] },
  ];
  await tourAllRoutes(tour);
  await tourCardForm(tour);
  await tourOnetime(tour);
  await controls.settings({ generation: 'newer', newer_signed: true });
  await controls.pay({ merchant_uid: 'signed', amount: 1000 });
  await controls.settings({ generation: 'legacy', newer_signed: false });
  await tourOperatorPages(tour, around.rows);
  await crashes();
  await eraseBuyer();
  exits.push(await merchant.kill('SIGINT'));
});
afterAll(async () => {
  for (const each of [...merchants, sandbox]) {
    await each?.kill('SIGKILL');
    each?.clean();
  }
  await receiver?.close();
});

async function startMerchant(): Promise<CapturedProcess> {
  const started = await startCapturedProcess('merchant', {
    ...SECRETS,
    DATABASE_URL: around.database.url,
    SERVICE_BASE_URL: sandbox.url,
    SERVICE_V2_BASE_URL: sandbox.url,
    ORDER_EVENTS_URL: receiver.url,
    TRUSTED_PROXIES: '127.0.0.1',
    LOG_LEVEL: 'trace',
  });
  merchants.push(started);
  return started;
}

async function tokenOf(path: string, body: object): Promise<string> {
  const answer = await fetch(`${sandbox.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  const token = /"(?:access_token|token)":"([^"]+)"/.exec(text)?.[1];
  if (token === undefined) throw new Error(`no token at ${path}: ${answer.status}`);
  return token;
}

/**
 * The database fails, the process is killed, and it crashes with an error, each while it handles card data. A rejected promise
 * ends it in the same way (hard-circumstances.test.ts).
 */
async function crashes(): Promise<void> {
  const forms = await openForms(tour, 2);
  await around.database.setReachable(false);
  await payOnetime(tour, 'no-database');
  await post(tour, forms, {});
  await around.database.setReachable(true);

  await tour.sandbox.fault({ endpoint: ISSUE_KEY, kind: 'delay', delay_ms: 3000, times: 1 });
  const before = await tour.sandbox.requests(ISSUE_KEY);
  const posted = post(tour, forms, {}).catch(() => undefined);
  await eventually(async () => (await tour.sandbox.requests(ISSUE_KEY)) > before);
  exits.push(await merchant.kill('SIGKILL'));
  await posted;
  merchant = await startMerchant();
  await payOnetime(tour, 'before-crash', { amount: 'x' });
  exits.push(await merchant.crash('throw', `${Object.values(newCard()).join(' ')} ${SECRETS.API_KEY}`));
  merchant = await startMerchant();
  await tour.sandbox.settings({ webhook_url: `${merchant.url}/webhooks/payments` });
}

/** A buyer with a telephone number pays, a part is refunded, an unknown payment is requested, and the buyer is erased. */
async function eraseBuyer(): Promise<void> {
  const buyer = { name: 'Buyer', tel: CANARY_TEL };
  const fields = { member_id: MEMBER, customer_uid: 'key-of-the-tour', buyer };
  expect((await payOnetime(tour, 'of-the-buyer', fields)).status).toBe(200);
  const [payment] = await around.rows.query<{ svc_uid: string }>(
    `select svc_uid from payments where merchant_uid = 'of-the-buyer'`,
  );
  await post('cancel', { amount: 300, checksum: 1000, reason: 'cold' }, 200);
  await tour.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'garbage', times: 1 });
  await post('sync', { merchant_uid: 'of-the-buyer' });
  expect(await around.rows.dump()).toContain(CANARY_TEL);
  const path = `/api/members/${MEMBER}/erase`;
  const headers = { authorization: `Bearer ${SECRETS.API_KEY}` };
  await eventually(async () => (await ask(tour, merchant.url, path, { headers })).status === 200);
  // Routes that pass on the service's records show the buyer as long as the service does.
  const ours = ['orders/of-the-buyer', 'orders', 'charges', 'refunds', 'events', 'notifications'];
  const others = ['discrepancies', 'issuances', `members/${MEMBER}/cards`, `payments/${payment?.svc_uid}`];
  for (const each of [...ours, ...others])
    await ask({ answers: answersAfterErasure }, merchant.url, `/api/${each}`, { method: 'GET', headers });
  await eventually(() => receiver.told().some((told) => told.includes('partially_cancelled')));

  async function post(action: string, body: object, status?: number): Promise<void> {
    const answer = await ask({ answers: [] }, merchant.url, `/api/payments/${payment?.svc_uid}/${action}`, {
      headers: { authorization: `Bearer ${SECRETS.API_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (status !== undefined) expect(answer.status).toBe(status);
  }
}

const search = (place: string, text: string, wanted: readonly Canary[] = [...canaries, TEL_CANARY]): Leak[] =>
  searchFor(place, text, wanted);

test('the run has produced answers, log lines, rows, events, and crashes with the right exit codes', async () => {
  expect(tour.answers.length).toBeGreaterThan(1_000);
  expect(merchants.map((each) => each.output().length).every((length) => length > 500)).toBe(true);
  expect(exits).toEqual([null, 1, 0]);
  const statuses = await around.rows.query('select distinct status::text from billing_key_issuances');
  expect(statuses.length).toBeGreaterThan(1);
  expect((await around.rows.query('select from charges')).length).toBeGreaterThan(5);
});

test('the merchant’s standard output and standard error contain no canary, also after a crash', () => {
  const printed = merchants.map((each) => each.output()).join('\n');
  expect(printed).toContain('uncaught_exception');
  expect(search('output of the merchant', printed)).toEqual([]);
});

test('a crash leaves no core, heap snapshot or report, and no file with a canary', () => {
  for (const [name, bytes] of merchants.flatMap((each) => [...each.files()])) {
    expect(name).not.toMatch(/^core|heapsnapshot|^report\./);
    expect(findLeaksInBytes(name, bytes, canaries)).toEqual([]);
  }
});

test('no row of any table contains a canary, or the telephone number of an erased buyer', async () => {
  const text = await dumpAsJson(around.rows);
  expect(text).toContain('onetime-lost_response');
  expect(search('rows', text)).toEqual([]);
});

test('the files of the database, with old versions of rows, contain no card and no secret', async () => {
  await around.rows.query('checkpoint');
  const [at] = await around.rows.query<{ folder: string; own: string }>(
    `select current_setting('data_directory') as folder,
       'base/' || (select oid from pg_database where datname = current_database()) as own`,
  );
  const folders = [at?.own ?? '', 'pg_wal'].map((name) => join(at?.folder ?? '', name));
  const contents = folders
    .flatMap((folder) => readdirSync(folder, { withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => ({ file: name, bytes: readFileSync(join(parentPath, name)) }));
  expect(contents.some(({ bytes }) => bytes.includes('onetime-lost_response'))).toBe(true);
  expect(contents.flatMap(({ file, bytes }) => findLeaksInBytes(file, bytes, canaries))).toEqual([]);
});

test('no answer or header of either program and no posted event contains a canary', () => {
  expect(search('answers', tour.answers.join('\n'), canaries)).toEqual([]);
  expect(answersAfterErasure.join()).toContain('of-the-buyer');
  expect(search('answers after the erasure', answersAfterErasure.join('\n'))).toEqual([]);
  expect(receiver.received.length).toBeGreaterThan(0);
  expect(receiver.received.every(({ isSigned }) => isSigned)).toBe(true);
  expect(search('events', JSON.stringify(receiver.received))).toEqual([]);
});

test('the sandbox neither prints, shows nor saves a card or a secret', async () => {
  const controls = ['requests', 'notifications', 'settings'].map((name) => `/_sandbox/${name}`);
  const pages = ['', '/activity', '/requests', '/notifications', '/keys', '/payments'].map(
    (name) => `/console${name}`,
  );
  // The sandbox may close an idle connection at the moment of the first try.
  const open = (path: string) => fetch(sandbox.url + path).catch(() => fetch(sandbox.url + path));
  const shown = await Promise.all([...controls, ...pages].map(async (path) => (await open(path)).text()));
  expect(search('output of the sandbox', sandbox.output())).toEqual([]);
  // The buyer of a payment is part of the service's own record (§2.4).
  expect(search('state of the sandbox', shown.join('\n'), canaries)).toEqual([]);
  const files = [...sandbox.files()];
  expect(files.length).toBeGreaterThan(0);
  for (const [name, bytes] of files) expect(search(name, bytes.toString('latin1'), canaries)).toEqual([]);
});

const CARD = newCard();
const DIGITS = CARD.card_number.replaceAll('-', '');
test.each([
  ['in groups of four', CARD.card_number.replaceAll('-', ' ')],
  ['full-width', CARD.card_number.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)))],
  ['URL-encoded', encodeURIComponent(CARD.card_number.replaceAll('-', ' '))],
  ['in base64', Buffer.from(JSON.stringify(CARD)).toString('base64')],
  ['in base64url after a letter', Buffer.from(`x${DIGITS}`).toString('base64url')],
  ['in base64url after two letters', Buffer.from(`xx${DIGITS}`).toString('base64url')],
  ['hexadecimal', Buffer.from(CARD.card_number).toString('hex')],
  ['the expiry of the form', 'expires 07 / 2038'],
  ['the password digits of a form', `a=1&pwd_2digit=${CARD.pwd_2digit}&b=2`],
  ['a secret', `Authorization: Bearer ${SECRETS.API_KEY}`],
  ['a telephone without hyphens', CANARY_TEL.replaceAll('-', '')],
])('the search finds a value planted %s', (_how, text) => {
  expect(search('planted', `a line ${text} of the log`)).not.toEqual([]);
});

test('the search finds values in bytes, in both outputs of a process and in a row, and ignores a masked number', async () => {
  const text = `a line ${CARD.card_number} of the log`;
  expect(findLeaksInBytes('planted', Buffer.from(text), canaries)).not.toEqual([]);
  expect(search('masked', `540977******${DIGITS.slice(-4)} and 5409-77**-****-${DIGITS.slice(-4)}`)).toEqual(
    [],
  );
  await sandbox.print(text);
  await eventually(() => sandbox.output().split(text).length > 2);
  expect(search('planted', sandbox.output())).not.toEqual([]);
  await around.rows.query(`insert into card_limits (key, expire) values ($1, 4102444800000)`, [text]);
  expect(search('rows', await dumpAsJson(around.rows))).not.toEqual([]);
});
