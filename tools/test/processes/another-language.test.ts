// A shop in Python, on another host than the merchant and with nothing but HTTP between them: docs/examples/card-links and another-language. Its
// member gets a link, registers a card, and is charged; the event arrives signed. The verification, and the page that opens the payment
// window (docs/examples/window-keys), are run in Python, PHP and Java.

import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { freePort } from '../../../src/local/postgres/free-port';
import { ask } from '../../../test/support/ask';
import { createMemberBrowser } from '../../../test/support/browsers';
import { callApi } from '../../../test/support/calls';
import { CARD_FORM } from '../../../test/support/cards';
import { API_KEY } from '../../../test/support/config';
import { eventually } from '../../../test/support/eventually';
import { FILL_IN_MS } from '../../../test/support/processes';
import { ROOT } from '../../../test/support/shop-copy';
import { useSurroundings } from '../../../test/support/use-surroundings';

const FOLDER = join(ROOT, 'docs', 'examples', 'another-language');
const SHOP_FILE = join(ROOT, 'docs', 'examples', 'card-links', 'shop.py');
const WALLET = join(ROOT, 'docs', 'examples', 'window-keys');
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;

/** `test` for what needs a program. It is skipped, with a warning, on a machine that has none. */
function testWith(program: string, option = '--version') {
  const isHere = spawnSync(program, [option]).status === 0;
  if (!isHere) process.stderr.write(`A shop in another language: skipped in part, ${program} is not here.\n`);
  return isHere ? test : test.skip;
}

const around = useSurroundings();
const shopPort = freePort(0);
/** The merchant's address. */
let merchant: string;
let python: ChildProcess | undefined;
afterAll(async () => {
  if (python === undefined || python.exitCode !== null) return;
  python.kill();
  await once(python, 'exit');
});

/** Starts the merchant under a path of its own. It knows the address of the shop. */
beforeAll(async () => {
  const merchantPort = await freePort(0);
  const shop = `http://127.0.0.1:${await shopPort}`;
  // Another host, so that no cookie of the shop reaches the merchant.
  merchant = `http://localhost:${merchantPort}/pay`;
  await around.startMerchant({
    PORT: String(merchantPort),
    PATH_PREFIX: '/pay',
    RETURN_URLS: shop,
    ORDER_EVENTS_URL: `${shop}/hooks/orders`,
    ORDER_EVENTS_SECRET: SECRET,
  });
  await around.sandbox.settings({ webhook_url: `${merchant}/webhooks/payments` });
});

async function startShop(): Promise<string> {
  const shop = `http://127.0.0.1:${await shopPort}`;
  python = spawn('python3', [SHOP_FILE], {
    env: {
      PATH: process.env['PATH'],
      PYTHONDONTWRITEBYTECODE: '1',
      MERCHANT: merchant,
      API_KEY,
      ORDER_EVENTS_SECRET: SECRET,
      SHOP_URL: shop,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await eventually(async () => (await fetch(`${shop}/checkout`).catch(() => null))?.status === 403);
  return shop;
}

testWith('python3')(
  'a member of a shop in Python registers a card by a link, is charged, and the shop is told by a signed event',
  async () => {
    const shop = await startShop();
    const atShop = createMemberBrowser({ url: shop });
    await atShop.get('/sign-in?member=kim%20%40%20home');
    const { status, location } = await atShop.get('/cards/add');
    expect([status, location]).toEqual([303, expect.stringMatching(`^${merchant}/cards/link\\?token=`)]);

    const atMerchant = createMemberBrowser({ url: merchant, fillInMs: FILL_IN_MS });
    const path = (location ?? '').slice(merchant.length);
    expect((await atMerchant.get(path)).status).toBe(200);
    const token = new URL(location ?? '').searchParams.get('token') ?? '';
    const form = await atMerchant.post('/cards/link', { token });
    const returnUrl = `${shop}/checkout`;
    expect([form.status, form.location]).toEqual([
      303,
      `/pay/cards/new?return_url=${encodeURIComponent(returnUrl)}`,
    ]);
    const hidden = await atMerchant.openForm((form.location ?? '').slice('/pay'.length));
    const { customer_uid: customerUid } = hidden;
    const fields = { ...hidden, ...CARD_FORM, return_url: returnUrl };
    expect(await atMerchant.post('/cards', fields)).toMatchObject({
      status: 303,
      location: `${returnUrl}?customer_uid=${customerUid}`,
    });

    const cards = JSON.parse((await atShop.get('/checkout')).html) as { customer_uid: string }[];
    expect(cards.map(({ customer_uid }) => customer_uid)).toEqual([customerUid]);
    const bought = await atShop.post('/buy', { order: 'tea-1', card: customerUid });
    expect([bought.status, bought.html]).toEqual([200, expect.stringContaining('"paid"')]);
    // The shop knows it by the event alone.
    await eventually(async () => (await atShop.get('/orders')).html === '{"tea-1": "paid"}');

    // Nobody else can tell it anything.
    const body = JSON.stringify({
      type: 'order.cancelled',
      data: { merchant_uid: 'tea-1', status: 'cancelled' },
    });
    const forged = await ask(shop, 'POST', '/hooks/orders', {
      headers: signed('tea-1:2', body, OTHER_SECRET),
      body,
    });
    expect([forged.status, (await atShop.get('/orders')).html]).toEqual([401, '{"tea-1": "paid"}']);
  },
);

function signed(id: string, body: string, secret = SECRET, at = new Date()): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  };
}

const BODY = '{"type":"order.paid","data":{"name":"녹차"}}';
const hourAgo = new Date(Date.now() - 3_600_000);
const both = (headers: Record<string, string>, others: Record<string, string>) => ({
  ...headers,
  'webhook-signature': `${others['webhook-signature']} ${headers['webhook-signature']}`,
});

/** Headers, body, and whether the event is real. */
const CASES: [Record<string, string>, string, boolean][] = [
  [signed('a:1', BODY), BODY, true],
  [both(signed('a:1', BODY), signed('a:1', BODY, OTHER_SECRET)), BODY, true],
  [signed('a:1', BODY), BODY.replace('paid', 'open'), false],
  [{ ...signed('a:1', BODY), 'webhook-id': 'a:2' }, BODY, false],
  [signed('a:1', BODY, OTHER_SECRET), BODY, false],
  [signed('a:1', BODY, SECRET, hourAgo), BODY, false],
  [{ ...signed('a:1', BODY), 'webhook-timestamp': 'now' }, BODY, false],
  [{ ...signed('a:1', BODY), 'webhook-signature': 'v1,' }, BODY, false],
];
/** Id, time, signatures and body of each case. */
const ARGUMENTS = CASES.flatMap(([headers, body]) => [
  headers['webhook-id'] ?? '',
  headers['webhook-timestamp'] ?? '',
  headers['webhook-signature'] ?? '',
  body,
]);

/** What the program prints. */
async function printed(program: string, args: string[], cwd = FOLDER): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], PYTHONDONTWRITEBYTECODE: '1', PYTHONUTF8: '1', LC_ALL: 'C.UTF-8' },
  });
  return stdout.trim();
}

/** The same for each case. */
const judged = async (program: string, args: string[]): Promise<boolean[]> =>
  (await printed(program, args)).split('\n').map((line) => line === 'true');

/** A member issues the key in the window that the printed page opens, and has it as a card. */
async function expectIssued(program: string, args: string[]): Promise<void> {
  const memberId = `"kim" <${program}> & 둘`;
  const wish = { pg: 'kakaopay', return_url: '/checkout?plan=tea' };
  const html = await printed(program, [...args, merchant, API_KEY, memberId, JSON.stringify(wish)], WALLET);
  expect(html).toContain('data-service="SVC" data-account="mine"');
  const [, payment = ''] = /data-payment="([^"]*)"/.exec(html) ?? [];
  const fields = JSON.parse(payment.replaceAll('&quot;', '"').replaceAll('&amp;', '&')) as {
    customer_uid: string;
  };
  expect(fields).toMatchObject({ pg: 'kakaopay', amount: 0, name: '결제수단 등록' });
  await around.sandbox.pay(fields);
  const { body } = await callApi(merchant, 'GET', `/api/members/${encodeURIComponent(memberId)}/cards`);
  expect(body).toMatchObject([{ customer_uid: fields.customer_uid, card_name: '카카오페이' }]);
}

const EXPECTED = CASES.map(([, , isReal]) => isReal);

testWith('python3')('the Python code tells a real event from a forged one', async () => {
  const program = `
import sys
from verify_event import verify_event
rest = sys.argv[2:]
for i in range(0, len(rest), 4):
    headers = dict(zip(("webhook-id", "webhook-timestamp", "webhook-signature"), rest[i:i + 3]))
    print(str(verify_event(sys.argv[1], headers, rest[i + 3].encode())).lower())`;
  expect(await judged('python3', ['-c', program, SECRET, ...ARGUMENTS])).toEqual(EXPECTED);
});

testWith('php')('the PHP code tells a real event from a forged one', async () => {
  const program = `
require 'verify_event.php';
foreach (array_chunk(array_slice($argv, 2), 4) as [$id, $time, $signatures, $body]) {
  $headers = ['webhook-id' => $id, 'webhook-timestamp' => $time, 'webhook-signature' => $signatures];
  echo verify_event($argv[1], $headers, $body) ? "true\\n" : "false\\n";
}`;
  expect(await judged('php', ['-r', program, '--', SECRET, ...ARGUMENTS])).toEqual(EXPECTED);
});

const ACCOUNT = `"SVC", "mine", "https://service.example/script.js", "KakaoPay"`;

testWith('python3')('the page in Python opens the window for a billing key', () =>
  expectIssued('python3', [
    '-c',
    `
import json, sys
from wallet import request_key, wallet_button
print(wallet_button(request_key(*sys.argv[1:4], json.loads(sys.argv[4])), ${ACCOUNT}))`,
  ]),
);

testWith('php')('the page in PHP opens the window for a billing key', () =>
  expectIssued('php', [
    '-r',
    `
require 'wallet.php';
[, $merchant, $key, $member, $wish] = $argv;
echo wallet_button(request_key($merchant, $key, $member, json_decode($wish, true)), ${ACCOUNT});`,
    '--',
  ]),
);

testWith('javac', '-version')('both in Java', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'java-example-'));
  const main = `class Main {
    public static void main(String[] all) throws Exception {
      if (all.length == 4) System.out.println(Wallet.walletButton(Wallet.requestKey(all[0], all[1], all[2], all[3]), ${ACCOUNT}));
      else for (int i = 1; i < all.length; i += 4)
        System.out.println(VerifyEvent.verify(all[0], all[i], all[i + 1], all[i + 2], all[i + 3].getBytes("UTF-8")));
    }
  }`;
  const sources = [join(folder, 'Main.java'), join(FOLDER, 'VerifyEvent.java'), join(WALLET, 'Wallet.java')];
  const run = ['-Dstdout.encoding=UTF-8', '-cp', folder, 'Main'];
  try {
    writeFileSync(join(folder, 'Main.java'), main);
    await printed('javac', ['-encoding', 'UTF-8', '-d', folder, ...sources]);
    expect(await judged('java', [...run, SECRET, ...ARGUMENTS])).toEqual(EXPECTED);
    await expectIssued('java', run);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the shop uses nothing but the standard library of Python', () => {
  const source = readFileSync(SHOP_FILE, 'utf8') + readFileSync(join(FOLDER, 'verify_event.py'), 'utf8');
  const imported = [...source.matchAll(/^(?:import|from) (\w+)/gm)].map(([, name]) => name);
  const known = [
    'base64',
    'hashlib',
    'hmac',
    'http',
    'json',
    'os',
    'secrets',
    'sqlite3',
    'sys',
    'time',
    'urllib',
  ];
  expect(imported.filter((name) => !known.includes(name ?? ''))).toEqual(['verify_event']);
});
