// What the guides tell a shop to change leaves its tests green: their blocks are carried out in a repository that `npm run adopt`
// wrote, and the tests that serve these files run there. shipped-files.test.ts has the reason: no other test loads them.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { codeBlocksOf } from '../repository/pages/code-blocks';

const ROOT = join(__dirname, '..', '..', '..');
const SHOP = 'src/merchant/shop';
const SIGN_IN = 'docs/03-guides/1-own-sign-in.md';
const EVENTS = 'docs/03-guides/4-order-events.md';
const SUBSCRIPTIONS = 'docs/03-guides/6-subscriptions.md';
const CARD_TESTING = 'docs/03-guides/8-card-form.md';

/** Tests of the shop's own files, and those that read `.env`, show the look and the legal pages, and store a consent. */
const TESTS = [
  'shop/',
  'faults/card-form/h-form',
  'flows/http/path-prefix',
  'merchant/(cli/live-checks|platform/(environment|shop-look|http/pages))',
];

// Twenty seconds on two free cores.
jest.setTimeout(600_000);
/** The repository of the shop. */
let shop: string;
beforeAll(() => {
  shop = mkdtempSync(join(tmpdir(), 'own-files-'));
  const options = ['--name', 'Tea House', '--keep', 'checkout,operator,subscriptions'];
  execFileSync(process.execPath, [join(ROOT, 'scripts', 'adopt.mjs'), shop, ...options], { stdio: 'pipe' });
  symlinkSync(join(ROOT, 'node_modules'), join(shop, 'node_modules'));
});
afterAll(() => rmSync(shop, { recursive: true, force: true }));

const read = (path: string) => readFileSync(join(shop, path), 'utf8');

/** The only block of a page with this text. */
function blockWith(page: string, part: string): string {
  const blocks = codeBlocksOf(page, read(page)).filter(({ code }) => code.includes(part));
  expect([page, blocks.length]).toEqual([page, 1]);
  return String(blocks[0]?.code);
}

function change(path: string, from: RegExp, to: string): void {
  const file = join(shop, path);
  const before = readFileSync(file, 'utf8');
  const after = before.replaceAll(from, to);
  expect([path, after === before]).toEqual([path, false]);
  writeFileSync(file, after);
}

/** Runs the line of the page that copies an example. */
function copyExample(page: string): void {
  const [line = ''] = /^cp docs\/examples\/.*$/m.exec(blockWith(page, 'cp docs/examples/')) ?? [];
  execFileSync('sh', ['-c', line], { cwd: shop });
}

async function runTests(): Promise<{ exitCode: number; output: string }> {
  const pattern = `/test/(${TESTS.join('|')})`;
  // One worker, because each would load the whole program.
  const args = ['--maxWorkers=1', '--selectProjects', 'unit', 'flows', '--testPathPatterns', pattern];
  const child = spawn(process.execPath, [require.resolve('jest/bin/jest'), '--silent', ...args], {
    cwd: shop,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [output, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  return { exitCode: exitCode as number, output };
}

test('sign-in, mail beside a second handler, challenge, terms, legal pages, look, and the names in compose', async () => {
  for (const page of [SIGN_IN, EVENTS, CARD_TESTING]) copyExample(page);
  nameHandlers();
  change(`${SHOP}/terms.ts`, /'\d{4}-\d\d-\d\d'/g, `'2027-03-01'`);
  for (const name of readdirSync(join(shop, 'views/merchant/cards/legal')))
    change(`views/merchant/cards/legal/${name}`, /\[[^\][<>\n]{1,60}\]/g, 'Tea House');
  writeFileSync(join(shop, '.env'), blockWith(SIGN_IN, 'SHOP_NAME='));
  copyFileSync(join(shop, 'views/shared/static/icon.svg'), join(shop, 'views/merchant/static/logo.svg'));
  change('compose.yaml', /tea-house:/g, 'tea-house-cards:');
  change('compose.yaml', /^ {2}merchant:$/gm, '  cards:');
  const { exitCode, output } = await runTests();
  expect([exitCode, output]).toEqual([0, expect.stringMatching(/^Tests: +\d+ passed, \d+ total$/m)]);
});

/** The example becomes one of several handlers. mail.test.ts runs it alone. */
function nameHandlers(): void {
  const [, named = ''] = /`(export const onOrderEvent = \{ mail, shipping \};)`/.exec(read(EVENTS)) ?? [];
  const mail = read(join(SHOP, 'on-order-event.ts'));
  writeFileSync(join(shop, SHOP, 'mail.ts'), mail.replace('function onOrderEvent', 'function mail'));
  writeFileSync(
    join(shop, SHOP, 'shipping.ts'),
    `import type { ShopEvent } from './event';
const sendMail = async (...mail: unknown[]) => Promise.resolve(mail);
export async function shipping(event: ShopEvent): Promise<void> {
${blockWith(SUBSCRIPTIONS, 'await sendMail(')}}
`,
  );
  const imports = ['mail', 'shipping'].map((name) => `import { ${name} } from './${name}';\n`);
  writeFileSync(join(shop, SHOP, 'on-order-event.ts'), `${imports.join('')}${named}\n`);
}
