// docs/guides/rotation.md, carried out: each secret of two merchant processes is changed while members and callers go on.

import { setTimeout as pause } from 'node:timers/promises';
import { createMemberBrowser, hiddenFields, type MemberBrowser } from '../support/browsers';
import { CARD_FORM } from '../support/cards';
import { FILL_IN_MS } from '../support/processes';
import { useSurroundings, type Merchant } from '../support/use-surroundings';
import { startRequestSwitch, type RequestSwitch } from './request-switch';

const OLD = 'the-old-value-0123456789';
const NEW = 'the-new-value-0123456789';
const FORMS_AT_A_TIME = 3;
const ROUNDS = 2;
/** Often enough that a process which is away is noticed. */
const BETWEEN_CALLS_MS = 50;

type Visitor = {
  browser: MemberBrowser;
  form: ReturnType<typeof hiddenFields>;
  number: number;
  openedMs: number;
};

const around = useSurroundings();
let entrance: RequestSwitch;
let merchants: Merchant[] = [];
beforeAll(async () => {
  entrance = await startRequestSwitch();
  merchants = await Promise.all([startWith([OLD]), startWith([OLD])]);
  for (const { port } of merchants) entrance.putIn(port);
});
afterAll(() => entrance?.close());

test('three secrets rotated by rolling restarts over two processes lose no form, no member and no call (M25)', async () => {
  /** Forms that were opened and not posted yet. */
  let visitors: Visitor[] = [];
  const members: Visitor[] = [];
  let keysInUse = [OLD];
  const statuses = new Map<string, number>();
  const note = (what: string, status: number | string) =>
    statuses.set(`${what} ${status}`, (statuses.get(`${what} ${status}`) ?? 0) + 1);

  /** A browser and a card of its own: no limit on attempts is what this test is about. */
  async function openForm(number: number): Promise<Visitor> {
    const browser = createMemberBrowser(entrance);
    const { status, html } = await browser.get('/cards/new', { 'x-forwarded-for': addressOf(number) });
    note('form opened', status);
    return { browser, form: hiddenFields(html), number, openedMs: performance.now() };
  }
  async function postForm(visitor: Visitor): Promise<void> {
    const fields = { ...CARD_FORM, ...visitor.form, card_number: `55550000${10_000_000 + visitor.number}` };
    const from = { 'x-forwarded-for': addressOf(visitor.number) };
    // As long as a person needs at least: what comes back sooner is not taken.
    await pause(Math.max(0, visitor.openedMs + FILL_IN_MS - performance.now()));
    note('form posted', (await visitor.browser.post('/cards', fields, from)).status);
    members.push(visitor);
  }
  async function comeBack({ browser }: Visitor): Promise<void> {
    note('cards of a member', (await browser.cards()).length);
  }
  async function call(key: string): Promise<void> {
    const headers = { authorization: `Bearer ${key}` };
    note('call', (await fetch(`${entrance.url}/api/orders`, { headers })).status);
  }
  /** Forms are posted that were opened before a restart, and that were opened while the processes differ. */
  async function goOn(): Promise<void> {
    for (let round = 1; round <= ROUNDS; round += 1) {
      const first = members.length + visitors.length;
      const numbers = Array.from({ length: FORMS_AT_A_TIME }, (_, index) => first + index);
      const opened = visitors;
      visitors = await Promise.all(numbers.map(openForm));
      await Promise.all(opened.map(postForm));
      await Promise.all([...members.map(comeBack), ...keysInUse.map(call)]);
    }
  }
  /** One by one; what goes on in the meantime does not wait. */
  async function restartAll(values: string[]): Promise<void> {
    for (const [index, merchant] of [...merchants].entries()) {
      await entrance.takeOut(merchant.port);
      await merchant.kill('SIGINT');
      const next = await startWith(values);
      merchants[index] = next;
      entrance.putIn(next.port);
      await goOn();
    }
  }

  let isOver = false;
  const load = (async () => {
    while (!isOver) {
      await Promise.all([...members.slice(-2).map(comeBack), ...keysInUse.map(call)]);
      await pause(BETWEEN_CALLS_MS);
    }
  })();
  await goOn();
  await restartAll([OLD, NEW]);
  keysInUse = [OLD, NEW];
  await restartAll([NEW, OLD]);
  keysInUse = [NEW];
  // In place of the time that the guide says to wait: every form is posted, and every member comes back once.
  await goOn();
  await restartAll([NEW]);
  isOver = true;
  await load;
  await goOn();

  expect([...statuses.keys()].sort()).toEqual([
    'call 200',
    'cards of a member 1',
    'form opened 200',
    'form posted 303',
  ]);
  expect(statuses.get('form posted 303')).toBe((9 * ROUNDS - 1) * FORMS_AT_A_TIME);
  expect(statuses.get('call 200')).toBeGreaterThan(100);
  expect(
    await around.rows.query(
      'select count(*)::int as keys, count(distinct member_id)::int as members from billing_keys',
    ),
  ).toEqual([{ keys: members.length, members: members.length }]);
  expect(
    (await fetch(`${entrance.url}/api/orders`, { headers: { authorization: `Bearer ${OLD}` } })).status,
  ).toBe(401);
}, 300_000);

function startWith(values: string[]): Promise<Merchant> {
  const secret = (name: string) => values.map((value) => `${name}-${value}`).join(', ');
  return around.startMerchant({
    FORM_SECRET: secret('form'),
    MEMBER_SECRET: secret('member'),
    API_KEY: values.join(','),
    OPERATOR_PASSWORD: secret('operator'),
  });
}

/** Documentation addresses (RFC 2544) stand for browsers everywhere. */
function addressOf(number: number): string {
  return `198.18.${number}.1`;
}
