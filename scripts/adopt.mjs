// `npm run adopt -- <folder>` writes the repository that a shop owns: the kernel, the options that it keeps, their views, tests and
// guides, deployment and documents, without what is about this repository. It is written beside the folder and renamed at the end,
// so an interrupted run leaves nothing in it. `--update <folder>` brings a later version into such a repository.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CARD_FORM, choose } from './adopt/choose.mjs';
import { moveTo, refuseUnlessEmpty, withDraft } from './adopt/draft.mjs';
import { currentCommit, refuseUncommitted, startHistory, takeVersion, wasInCore } from './adopt/history.mjs';
import { countLines } from './adopt/lines.mjs';
import { Refusal } from './adopt/refusal.mjs';
import { writeRepository } from './adopt/write.mjs';
import { readOptions } from './parts/options.mjs';
import { readManifest } from './parts/packages.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** Where the person is: npm changes to the folder of package.json. */
const fromHere = (path) => resolve(process.env.INIT_CWD ?? '.', path);

const HELP = `Usage: npm run adopt -- <folder> [--keep <options>] [--name <name>] [--without-card-form] [--without-sandbox]
       npm run adopt -- --update <folder>

Writes your shop's own repository to a new or empty folder. On a terminal it asks for what you did not say.

  --keep <options>     separated by commas, or "all", or "none"; without it: checkout,operator
  --name <name>        of your shop; without it: the name of the folder
  --without-card-form  no card number can reach your server (PCI DSS SAQ A)
  --without-sandbox    without the sandbox of the payment service, and the tests that need it
  --update <folder>    takes this version into a repository that this command has written

Options:
${readOptions(root)
  .map(({ name, purpose }) => `  ${name.padEnd(20)} ${purpose}`)
  .join('\n')}`;

try {
  const given = readArguments();
  if (given.help) console.log(HELP);
  else if (given.update !== undefined) await update(fromHere(given.update));
  else await adopt(given);
} catch (error) {
  // Also what the system refuses, such as a full disk.
  const isKnown = error instanceof Refusal || error.syscall !== undefined;
  console.error(isKnown ? error.message : error);
  process.exitCode = error.exitCode ?? 1;
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        keep: { type: 'string' },
        name: { type: 'string' },
        'without-card-form': { type: 'boolean' },
        'without-sandbox': { type: 'boolean' },
        update: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (positionals.length > 1) throw new Error(`Name one folder; these are ${positionals.length}.`);
    return { ...values, folder: positionals[0] };
  } catch (error) {
    throw new Refusal(`${error.message}\n\n${HELP}`, 2);
  }
}

async function adopt(given) {
  if (given.folder !== undefined) refuseUnlessEmpty(root, fromHere(given.folder));
  const plan = await choose(given, root, HELP);
  const target = fromHere(plan.folder);
  refuseUnlessEmpty(root, target);
  const commit = currentCommit(root);
  await withDraft(target, async (draft) => {
    await writeRepository(root, draft, { ...plan, commit });
    const hasHistory = await startHistory(
      draft,
      `Adopt ${readManifest(root).name}${commit ? ` at ${commit}` : ''}`,
    );
    const made = describe(draft);
    moveTo(draft, target);
    const folder = relative(fromHere('.'), target) || target;
    console.log(
      [
        ...plan.notes,
        `Written to ${target}: ${made}.`,
        ...(hasHistory ? [] : ['git is missing, so it has no commit yet.']),
        `Next: cd ${folder}, ${plan.sandbox ? 'npm start, ' : ''}npm test, npm run check. Its README.md says what is where.`,
      ].join('\n'),
    );
  });
}

/** Brings this version into the shop's repository: what `adopt` writes today with the arguments of then. */
async function update(shop) {
  const { adopted } = readManifest(shop);
  if (!adopted)
    throw new Refusal(`${shop} was not written by "npm run adopt": its package.json has no "adopted".`);
  await refuseUncommitted(shop);
  const present = readOptions(root).map(({ name }) => name);
  const kept = wasInCore(root, CARD_FORM, adopted.commit) ? [...adopted.keep, CARD_FORM] : adopted.keep;
  const keep = kept.filter((name) => present.includes(name)).sort();
  const commit = currentCommit(root);
  await withDraft(shop, async (draft) => {
    await writeRepository(root, draft, { ...adopted, keep, commit });
    process.exitCode = await takeVersion(
      shop,
      draft,
      `Take ${readManifest(root).name}${commit ? ` at ${commit}` : ''}`,
    );
  });
}

/** @returns what a shop will own, in figures */
function describe(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(relative(folder, entry.parentPath), entry.name))
    .filter((path) => !path.startsWith('.git/'));
  const tests = files.filter((path) => path.endsWith('.test.ts') && !path.startsWith(join('test', 'groups')));
  const lines = ['merchant', 'sandbox', 'local']
    .map((name) => [name, join(folder, 'src', name)])
    .filter(([, path]) => existsSync(path))
    .map(([name, path]) => `${countLines(path)} lines of src/${name}`);
  const packagesOf = (house) =>
    JSON.parse(readFileSync(join(folder, house, 'package-lock.json'), 'utf8')).packages;
  const packages = Object.keys(packagesOf('.')).length - 1;
  return `${files.length} files, ${lines.join(', ')}, ${tests.length} test files, ${packages} packages`;
}
