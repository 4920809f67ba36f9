// Card data that a member types appears in no log, row, page or request of either program, whatever fails (chapter J of
// docs/13-faults.md).

import { createMemberBrowser } from '../../support/browsers';
import { CARD, DECLINED_CARD } from '../../support/cards';
import { expectNowhere } from '../../support/leak-search';
import { FIND_KEYS, ISSUE_KEY, TOKEN } from '../../support/sandbox-controls';
import { useWorld } from '../../support/use-world';

const NUMBER = CARD.card_number;
const FAULT_KINDS = ['status', 'reset', 'html', 'garbage', 'redirect', 'lost_response', 'unauthorized'];
/** Spellings of the member's input; the two password digits are too short to search for alone. */
const CARD_CANARIES = [NUMBER.replaceAll('-', ''), NUMBER, '2037-11', '11 / 2037', '"86"', 'pwd_2digit":'];

const world = useWorld({ logLevel: 'trace' });
/** All answers. */
const answers: string[] = [];

/** Registers cards with every fault. */
beforeAll(async () => {
  const keep = ({ html }: { html: string }) => answers.push(html);
  for (const kind of FAULT_KINDS) {
    for (const endpoint of [ISSUE_KEY, FIND_KEYS, TOKEN]) {
      const browser = createMemberBrowser(world);
      await world.sandbox.fault({ endpoint, kind, times: 1, ...(kind === 'status' && { status: 500 }) });
      await world.sandbox.advance(3600);
      world.clock.advance(3600);
      keep(await browser.register());
      keep(await browser.get('/cards'));
      await world.sandbox.clearFaults();
    }
  }
  const browser = createMemberBrowser(world);
  keep(await browser.register({ card_number: DECLINED_CARD }));
  keep(await browser.register({ card_number: '5409-1357-2468-901X', pwd_2digit: '867' }));
  keep(await browser.register());
  const message = `bad card ${NUMBER} \u001b[31m\r\n{"level":60} <script>x</script>`;
  const echoed = { code: -1, message, response: null };
  await world.sandbox.fault({ endpoint: ISSUE_KEY, kind: 'status', status: 400, body: echoed });
  keep(await browser.register());
  for (let minute = 0; minute < 20; minute += 5) await world.advance(300);
});

function expectClean(text: string, canaries: readonly string[]): void {
  expect(canaries.filter((canary) => text.includes(canary))).toEqual([]);
  // Its six digits can occur in a time.
  expectNowhere(text, [CARD.birth]);
}

test('the merchant’s log of posted cards has no card data, and each event is one line of JSON', () => {
  expect(world.log.lines().length).toBeGreaterThan(50);
  expectClean(world.log.text(), CARD_CANARIES);
  for (const line of world.log.text().trimEnd().split('\n'))
    expect(() => JSON.parse(line) as unknown).not.toThrow();
  expect(world.log.text()).not.toContain('\u001b');
});

test('no row of any table has data of a posted card, jobs included', async () => {
  const dump = await world.rows.dump();
  expect(dump).toContain('billing_keys');
  expectClean(dump, CARD_CANARIES);
});

test('no page shows data of a posted card', () => {
  expect(answers.length).toBeGreaterThan(40);
  const values = CARD_CANARIES.filter((canary) => canary !== 'pwd_2digit":');
  expectClean(answers.join('\n'), [...values, '<script>x']);
});

test('the sandbox neither logs nor stores data of a posted card', async () => {
  const requests = await world.sandbox.call('GET', '/requests');
  const state = JSON.stringify([requests, await world.sandbox.notifications()]);
  expectClean(state + world.sandboxLog.text(), CARD_CANARIES);
});
