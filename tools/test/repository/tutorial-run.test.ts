// Runs the pages of docs/02-tutorial, one after the other, on one merchant and one sandbox: sends each request, and compares its answer
// with the line below it, in which "…" stands for omitted text. `<!-- hand: why -->` marks a block for a person.

import { createMemberBrowser } from '../../../test/support/browsers';
import { runReconcileJob } from '../../../test/support/reconciliation';
import { useWorld } from '../../../test/support/use-world';
import { codeBlocksOf } from './pages/code-blocks';
import { documentedRequest, type DocumentedRequest } from './pages/documented-requests';
import { sendDocumented } from './pages/send-documented';
import { shellCommands, type ShellCommand } from './pages/shell-commands';
import { chapters, readPage } from './pages/tutorial';

/** Programs with their own tests. */
const NOT_RUN = [
  'npm run doctor',
  'npm run explain',
  'npm run proof -- planted-bugs',
  'npm run reconcile -- --dry-run',
  'npm run story',
  'npm start',
  'npx jest',
];
/** The address of the merchant with `npm start`. */
const MERCHANT = 'http://localhost:3000';

const ANSWER = /^# (.*) -> (\d{3})$/;

const world = useWorld({ namePrefix: 'svc' });
const member = createMemberBrowser(world);
const variables: Record<string, string> = {};
let last: { status: number; text: string } | null = null;

// One test, because a page goes on where the one before it has ended.
test('on every page, each answer is that of the page', async () => {
  for (const page of ['docs/02-tutorial/README.md', ...chapters()]) {
    const lines = codeBlocksOf(page, readPage(page))
      .filter(({ language, comment }) => language === 'sh' && comment?.name !== 'hand')
      .flatMap(({ code }) => code.split('\n'));
    expect(lines.map(kindOf).join('')).toMatch(/^(?:request answer )*$/);
    for (const line of lines) {
      const [, card] = /^# In the browser: \S+\/cards\/new, card (\S+)$/.exec(line) ?? [];
      if (card) await member.register({ card_number: card });
      const [, said, status] = ANSWER.exec(line) ?? [];
      if (said !== undefined) {
        expect({ page, line, ...last }).toEqual({
          page,
          line,
          status: Number(status),
          text: expect.stringMatching(toPattern(said)),
        });
      }
      for (const command of shellCommands(line)) await run(command);
    }
  }
});

/** A line; each request has its answer below it. */
function kindOf(line: string): string {
  if (ANSWER.test(line)) return 'answer ';
  return 'request '.repeat(shellCommands(line).filter(documentedRequest).length);
}

async function run(command: ShellCommand): Promise<void> {
  const [program, ...args] = command.words;
  // An assigned variable is a field of the last answer: SVC_UID is its svc_uid.
  for (const [name] of command.assignments)
    variables[name] = new RegExp(`"${name.toLowerCase()}":"([^"]+)"`).exec(last?.text ?? '')?.[1] ?? '';
  const request = documentedRequest(command);
  const line = command.words.join(' ');
  if (request) last = await send(request);
  else if (program === 'sleep') await sleep(Number(args[0]));
  else if (line === 'npm run reconcile') await runReconcileJob(world);
  else if (program !== undefined && !NOT_RUN.some((each) => line.startsWith(each)))
    throw new Error(`nothing here runs ${line}`);
}

/** Replaces the address of the merchant by the one of this test. */
async function send({ body, ...request }: DocumentedRequest): Promise<{ status: number; text: string }> {
  const sent = { ...request, body: body?.replace(MERCHANT, world.url) ?? null };
  const { status, text } = await sendDocumented(world, sent, variables);
  return { status, text: text.replace(world.url, MERCHANT) };
}

/** In steps, so that failed work is retried within the time. */
async function sleep(seconds: number): Promise<void> {
  for (let left = seconds; left > 0; left -= STEP_SECONDS) await world.advance(Math.min(left, STEP_SECONDS));
}
const STEP_SECONDS = 5;

/** The text in its order, with anything in place of each "…". */
function toPattern(said: string): RegExp {
  const pieces = said.split('…').map((piece) => piece.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${pieces.join('[^]*')}$`);
}
