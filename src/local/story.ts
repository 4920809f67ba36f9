// `npm run story -- <name>`: runs one of the guided stories against the programs of `npm start`, over HTTP only.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createPaint, fold, table } from '../merchant/cli/terminal';
import { fileProblem } from '../merchant/platform/file-problem';
import { en } from '../sandbox/locales/en';
import { STORIES } from '../sandbox/stories/stories';
import type { Story } from '../sandbox/stories/story';
import {
  finishStory,
  hasCome,
  isGood,
  isOver,
  startStory,
  type StoryRun,
} from '../sandbox/stories/story-run';
import { findRunningPlaces } from './running-places';
import { loadEnvironment, minimalDataDir, type Environment } from './settings';

/** A shop's own repository does not have the example. */
const MINIMAL = existsSync(join(__dirname, 'minimal.ts'))
  ? {
      flag: ' [--minimal]',
      help: `
With "--minimal" they run against "npm run minimal", which lacks some of the routes: a step that fails is left out, and
the results show what is missing.`,
    }
  : { flag: '', help: '' };
const HELP = `Usage: npm run story -- <name>${MINIMAL.flag} [--json]
       npm run story -- all${MINIMAL.flag} [--json]
       npm run story -- --list

Lets a payment go wrong in the programs of "npm start", and compares the results with the expected ones. "all" runs the
stories one after the other and shows their results. Exits with 0 if all results are as expected, with 1 if some
differ, and with 2 if a story could not be run. "all" leaves out the stories for which the merchant lacks an option.${MINIMAL.help}
`;
const RECONCILE = join(__dirname, '..', 'merchant', 'cli', 'reconcile.ts');

const paint = createPaint(process.stdout, process.env);
const texts = en.stories;
const HEADINGS = [texts.what, texts.expected, texts.came, texts.verdict];

async function main(given: string[]): Promise<number> {
  const [name] = given.filter((each) => !each.startsWith('--'));
  if (given.includes('--list')) return list();
  const isAll = name === 'all';
  const stories = isAll ? STORIES : STORIES.filter((each) => each.name === name);
  if (given.includes('--help') || stories.length === 0) {
    console.log(HELP);
    list();
    return given.includes('--help') ? 0 : 2;
  }
  const environment = loadEnvironment(process.cwd());
  const isMinimal = given.includes('--minimal');
  const places = isMinimal
    ? await findRunningPlaces({ ...environment, DATA_DIR: minimalDataDir(environment) }, 'npm run minimal')
    : await findRunningPlaces(environment);
  // The example has no books to compare, and no route for it.
  const options = isMinimal ? { goesOn: true } : { compareBooks: () => compareBooks(environment) };
  const isJson = given.includes('--json');
  const told: Told[] = [];
  for (const story of stories) {
    const run = startStory(story, places, options);
    const beganAt = performance.now();
    if (isJson || isAll) await finishStory(run);
    else await tell(story, run);
    told.push({ run, seconds: Math.round((performance.now() - beganAt) / 100) / 10 });
    if (run.failure !== null) console.error(`${story.name}: ${run.failure}`);
    else if (run.missing !== null) console.error(`${story.name}: ${texts.missing} ${run.missing}`);
    else if (isAll) console.error(`${story.name} (${told.length}/${stories.length})`);
  }
  if (isJson) console.log(JSON.stringify(isAll ? told.map(jsonOf) : told.map(jsonOf)[0], null, 2));
  else if (isAll) console.log(`\n${endsOf(told)}`);
  return Math.max(...told.map(({ run }) => exitCodeOf(run, isAll)));
}

function exitCodeOf(run: StoryRun, isAll: boolean): number {
  if (run.missing !== null) return isAll ? 0 : 2;
  if (run.failure !== null) return 2;
  return isGood(run) ? 0 : 1;
}

type Told = { run: StoryRun; seconds: number };

const jsonOf = ({ run, seconds }: Told) => {
  const { story, ending, failure, missing, done } = run;
  return { story: story.name, good: isGood(run), seconds, ending, failure, missing, steps: done };
};

/** The results of each story, with its name and duration. */
function endsOf(told: readonly Told[]): string {
  const rows = told.flatMap(({ run, seconds }) =>
    rowsOf(run, NARROW).map((row, index) => [
      ...(index === 0 ? [run.story.name, `${seconds} s`] : ['', '']),
      ...row,
    ]),
  );
  return table([['', '', ...HEADINGS], ...rows]);
}

function list(): number {
  console.log(table(STORIES.map(({ name }) => [name, texts.stories[name].title])));
  return 0;
}

async function tell(story: Story, run: StoryRun): Promise<void> {
  const { title, incident, steps } = texts.stories[story.name];
  console.log(`\n${paint(title, 'bold')}\n${incident}\n`);
  for (const [index, step] of story.steps.entries()) {
    if (isOver(run)) return;
    console.log(`  ${index + 1}. ${(steps as Record<string, string>)[step.name]}`);
    await run.next();
    for (const { curl, status } of run.done[index]?.calls ?? [])
      console.log(`     ${curl}\n     -> ${status}`);
  }
  if (run.ending === null) return;
  console.log(`\n${table([HEADINGS, ...rowsOf(run, WIDE)])}`);
  console.log(isGood(run) ? paint(texts.allGood, 'green') : paint(texts.notGood, 'red'));
}

/** Widths of name and values, so that a line has at most 100 columns: beside the name of the story, and alone. */
const NARROW = [16, 15, 15];
const WIDE = [36, 22, 22];

/** For each result: name, expected value, actual value, and whether they are equal. A long one takes several rows. */
function rowsOf({ story, ending }: StoryRun, widths: readonly number[]): string[][] {
  const ends: Record<string, string> = texts.stories[story.name].ends;
  return (ending ?? []).flatMap((each) => {
    const cells = [
      ends[each.name] ?? each.name,
      each.expected,
      each.came,
      hasCome(each) ? texts.good : texts.bad,
    ];
    const folded = cells.map((cell, at) => fold(cell, widths[at] ?? Infinity));
    const lines = Math.max(...folded.map(({ length }) => length));
    return Array.from({ length: lines }, (_, line) => folded.map((cell) => cell[line] ?? ''));
  });
}

/** Runs the `reconcile` command on the database of the running merchant, without its output. */
async function compareBooks(environment: Environment): Promise<void> {
  const child = spawn(process.execPath, ['--import', 'tsx', RECONCILE], {
    env: environment,
    stdio: 'ignore',
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  // Exit code 1: unresolved differences, which may be older than this story.
  if (code !== 0 && code !== 1) throw new Error(`npm run reconcile ended with ${code}`);
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: Error) => {
    console.error(fileProblem(error) ?? error.message);
    process.exit(2);
  },
);
