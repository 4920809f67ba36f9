// A card testing attack on two merchant processes with one database: counts the cards that reach the payment service. Every
// card is declined there, so only the limits of src/merchant/options/card-form/card-limits.ts decide.
// Run: npm run bench -- card-testing

import { setTimeout as pause } from 'node:timers/promises';
import { createMemberBrowser, hiddenFields } from '../../test/support/browsers';
import { CARD_FORM } from '../../test/support/cards';
import { FILL_IN_MS, type MerchantProcess } from '../../test/support/processes';
import { createSandboxControls, ISSUE_KEY, type SandboxControls } from '../../test/support/sandbox-controls';
import { createMerchantDatabase, onStage, startMerchant, startSandbox, type Stage } from './stage';

const SECRET = 'secret-of-the-measurement-0123456789';
const AT_ONCE = 50;

type Attempt = { session: number; address: string; card: number; password: string };
type Attack = { row: string; says: string; attempts: Attempt[] };

const many = (count: number, of: (index: number) => Attempt): Attempt[] =>
  Array.from({ length: count }, (_, index) => of(index));
const somewhere = (index: number) => `198.18.${Math.floor(index / 250)}.${index % 250}`;

const ATTACKS: Attack[] = [
  {
    row: 'K1',
    says: '1,000 cards, one session, one address',
    attempts: many(1_000, (card) => ({ session: 0, address: somewhere(0), card, password: '00' })),
  },
  {
    row: 'K2',
    says: '200 cards, 200 sessions, 200 addresses of one /64',
    attempts: many(200, (card) => ({
      session: card,
      address: `2001:db8::${(card + 1).toString(16)}`,
      card,
      password: '00',
    })),
  },
  {
    row: 'K2',
    says: '200 cards, one member at 200 addresses',
    attempts: many(200, (card) => ({ session: 0, address: somewhere(card), card, password: '00' })),
  },
  {
    row: 'K3',
    says: '200 cards, 200 sessions, 200 addresses',
    attempts: many(200, (card) => ({ session: card, address: somewhere(card), card, password: '00' })),
  },
  {
    row: 'K4',
    says: 'one card, 100 passwords, 100 sessions, 100 addresses',
    attempts: many(100, (index) => ({
      session: index,
      address: somewhere(index),
      card: 0,
      password: String(index).padStart(2, '0'),
    })),
  },
];

void onStage(main, { isDurable: false });

async function main(stage: Stage): Promise<void> {
  const database = await createMerchantDatabase(stage);
  const sandbox = await startSandbox(stage);
  const secrets = { FORM_SECRET: SECRET, MEMBER_SECRET: SECRET, OPERATOR_PASSWORD: SECRET };
  const merchants = await Promise.all([1, 2].map(() => startMerchant(stage, sandbox, secrets)));
  const controls = createSandboxControls(sandbox.url);
  const body = { code: 1, message: 'declined' };
  await controls.fault({ endpoint: ISSUE_KEY, kind: 'status', status: 200, body, times: 100_000 });
  const table: Record<string, object> = {};
  for (const { row, says, attempts } of ATTACKS) {
    table[`${row}: ${says}`] = await attack(merchants, controls, attempts);
    // Resets all counts (docs/06-runbook.md).
    await database.query('delete from card_limits');
  }
  console.table(table);
}

async function attack(merchants: MerchantProcess[], controls: SandboxControls, attempts: Attempt[]) {
  const cookies = new Map<number, Map<string, string>>();
  const before = await controls.requests(ISSUE_KEY);
  const statuses = new Map<number, number>();
  const open = await inTurns(attempts, async (attempt, index) => {
    const jar = cookies.get(attempt.session) ?? new Map<string, string>();
    cookies.set(attempt.session, jar);
    const { port } = merchants[index % 2] as MerchantProcess;
    const browser = createMemberBrowser({ url: `http://127.0.0.1:${port}` }, jar);
    const from = { 'x-forwarded-for': attempt.address };
    return { attempt, browser, from, form: hiddenFields((await browser.get('/cards/new', from)).html) };
  });
  await pause(FILL_IN_MS);
  const began = performance.now();
  await inTurns(open, async ({ attempt, browser, from, form }) => {
    const card_number = `9410-2000-${String(attempt.card).padStart(8, '0')}`;
    const fields = { ...CARD_FORM, ...form, card_number, pwd_2digit: attempt.password, register_again: 'on' };
    const { status } = await browser.post('/cards', fields, from);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  });
  const sent = (await controls.requests(ISSUE_KEY)) - before;
  const answers = [...statuses]
    .sort(([one], [other]) => one - other)
    .map(([status, count]) => `${count} × ${status}`);
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  return { tried: attempts.length, 'sent to the service': sent, answers: answers.join(', '), seconds };
}

/** The first request runs alone, because it creates the session cookie. */
async function inTurns<Item, Result>(
  items: readonly Item[],
  act: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let next = 0; next < items.length; next = results.length) {
    const some = items.slice(next, next === 0 ? 1 : next + AT_ONCE);
    results.push(...(await Promise.all(some.map((item, index) => act(item, next + index)))));
  }
  return results;
}
