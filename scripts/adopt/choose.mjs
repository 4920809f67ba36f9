// What the shop keeps: from the arguments, from questions if a person sits at the terminal, or by default.

import { basename, join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { readOptions, withNeeding } from '../parts/options.mjs';
import { countLines } from './lines.mjs';
import { Refusal } from './refusal.mjs';

export const CARD_FORM = 'card-form';
const DEFAULT = ['checkout', 'operator'];

/**
 * @param given the arguments
 * @returns folder, title, the options to keep, whether the sandbox stays, and notes about what was decided here
 */
export async function choose(given, root, help) {
  const options = readOptions(root).map((option) => ({
    ...option,
    lines: countLines(join(root, 'src', 'merchant', 'options', option.name)),
  }));
  const isPerson = process.stdin.isTTY === true && process.stdout.isTTY === true;
  const named = { ...given, ...(isPerson ? await ask(given, options) : {}) };
  if (!named.folder) throw new Refusal(help, 2);
  const without = named['without-card-form'] === true;
  const hasCardForm = options.some(({ name }) => name === CARD_FORM);
  if (without && !hasCardForm)
    throw new Refusal(
      `This version has no option ${CARD_FORM}, which --without-card-form would leave out.`,
      2,
    );
  const gone = without ? withNeeding(options, [CARD_FORM]) : [];
  const asked = namesOf(named.keep ?? DEFAULT.join(','), options, gone);
  // --keep names what stays beside the card form.
  const wanted = hasCardForm && !without ? [...new Set([...asked, CARD_FORM])] : asked;
  const keep = withNeeded(options, wanted);
  return {
    folder: named.folder,
    title: named.name ?? basename(resolve(named.folder)),
    keep: [...keep].sort(),
    sandbox: !named['without-sandbox'],
    notes: [
      ...(named.keep === undefined ? [`Kept by default: ${DEFAULT.join(', ')} (--keep names others).`] : []),
      ...keep
        .filter((name) => !wanted.includes(name))
        .map((name) => `${name} is kept too: ${neededBy(name, keep, options)} needs it.`),
    ],
  };
}

const neededBy = (name, keep, options) =>
  options.find((option) => keep.includes(option.name) && option.needs.includes(name))?.name;

/**
 * @param text "checkout,operator", "all" or "none"
 * @param gone options that cannot stay
 */
function namesOf(text, options, gone) {
  const present = options.map(({ name }) => name);
  if (text === 'all') return present.filter((name) => !gone.includes(name));
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'none');
  const unknown = names.filter((name) => !present.includes(name));
  if (unknown.length > 0)
    throw new Refusal(
      `There is no option ${unknown.join(', ')}. Options: ${present.join(', ')}; or "all", or "none".`,
      2,
    );
  const impossible = names.filter((name) => gone.includes(name));
  if (impossible.length > 0)
    throw new Refusal(`${impossible.join(', ')} cannot stay without the card form.`, 2);
  return names;
}

/** The named options and those that they need. */
function withNeeded(options, names) {
  const needed = options.filter(({ name }) => names.includes(name)).flatMap(({ needs }) => needs);
  const all = [...new Set([...names, ...needed])];
  return all.length === names.length ? all : withNeeded(options, all);
}

/** Asks for what the arguments do not say. */
async function ask(given, options) {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  lines.once('SIGINT', () => process.exit(130));
  const question = async (text, standard) =>
    (await lines.question(`${text} [${standard}] `)).trim() || standard;
  const isYes = async (text) => /^y/i.test(await question(text, 'yes'));
  try {
    const answers = {};
    if (given.folder === undefined) answers.folder = await question('Folder of your repository?', '../shop');
    if (given.name === undefined)
      answers.name = await question('Name of your shop?', basename(resolve(given.folder ?? answers.folder)));
    if (given.keep === undefined) {
      console.log(
        `\n${options
          .filter(({ name }) => name !== CARD_FORM)
          .map(described)
          .join('\n')}\n`,
      );
      answers.keep = await question(
        'Which options, separated by commas, or "all", or "none"?',
        DEFAULT.join(','),
      );
    }
    const cardForm = options.find(({ name }) => name === CARD_FORM);
    if (cardForm && given['without-card-form'] === undefined) {
      console.log(described(cardForm));
      answers['without-card-form'] = !(await isYes(
        'Keep the card form? Without it, PCI DSS asks for SAQ A only.',
      ));
    }
    if (given['without-sandbox'] === undefined)
      answers['without-sandbox'] = !(await isYes(
        'Keep the sandbox of the payment service, and the tests that need it?',
      ));
    return answers;
  } finally {
    lines.close();
  }
}

function described({ name, purpose, lines, needs }) {
  const needed = needs.length > 0 ? ` Needs ${needs.join(', ')}.` : '';
  return `  ${name.padEnd(14)}${String(lines).padStart(6)} lines  ${purpose}${needed}`;
}
