// The kernel in reading order: its folders as listed here, and in each folder the files as a call passes them, each with its first
// sentence and its lines. Texts, schemas, lists and wiring are left out: nobody has to read them to follow a payment.

import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { table } from './markdown';

const MERCHANT = join(__dirname, '..', '..', 'src', 'merchant');

const READING_ORDER = [
  'core/orders',
  'core/cards',
  'options/card-form',
  'core/billing-keys',
  'core/webhooks',
  'core/payments',
  'core/charges',
  'core/refunds',
  'core/schedules',
  'core/events',
  'core/attempts',
  'core/reconciliation',
  'payment-service',
];
const SURFACE =
  /^(feature|errors|texts\.\w+|.*-(schema|list|list-store|description|columns|kinds|outcomes))\.ts$/;

type File = { name: string; text: string; lines: number };

export function kernelFiles(): string {
  const folders = READING_ORDER.map((folder) => ({ folder, files: inCallOrder(filesIn(folder)) }));
  const sum = folders.flatMap(({ files }) => files).reduce((total, { lines }) => total + lines, 0);
  const rows = folders.flatMap(({ folder, files }) =>
    files.map((file) => [
      `[\`${folder.replace(/^(core|options)\//, '')}/${file.name}\`](merchant/${folder}/${file.name})`,
      firstSentence(file),
      String(file.lines),
    ]),
  );
  return table(['File', 'What it is about', 'Lines'], [...rows, ['**All of it**', '', `**${sum}**`]]);
}

function filesIn(folder: string): File[] {
  return readdirSync(join(MERCHANT, folder))
    .filter((name) => name.endsWith('.ts') && !SURFACE.test(name))
    .sort()
    .map((name) => {
      const text = readFileSync(join(MERCHANT, folder, name), 'utf8');
      return { name, text, lines: text.split('\n').length - 1 };
    });
}

/** Routes come first, then other files that no file of the folder imports; each is followed by what it imports. */
function inCallOrder(files: File[]): File[] {
  const importsOf = ({ text }: File) =>
    [...text.matchAll(/from '\.\/([\w.-]+)'/g)].flatMap(
      ([, name]) => files.find((file) => basename(file.name, '.ts') === name) ?? [],
    );
  const isImported = new Set(files.flatMap(importsOf));
  const ordered = new Set<File>();
  const visit = (file: File) => {
    if (ordered.has(file)) return;
    ordered.add(file);
    importsOf(file).forEach(visit);
  };
  const roots = files.filter((file) => !isImported.has(file));
  const isRoutes = ({ name }: File) => name.endsWith('-routes.ts');
  const largest = (one: File, other: File) => other.lines - one.lines;
  [...roots.filter(isRoutes).sort(largest), ...roots.filter((file) => !isRoutes(file))].forEach(visit);
  files.forEach(visit);
  return [...ordered];
}

/** Of the comment that every file begins with. */
function firstSentence({ text }: File): string {
  const lines = text.split('\n');
  const comment = lines.slice(
    0,
    lines.findIndex((line) => !line.startsWith('//')),
  );
  const words = comment.map((line) => line.replace(/^\/\/ ?/, '')).join(' ');
  return /^.*?[.:](?= |$)/.exec(words)?.[0].replace(/:$/, '.') ?? words;
}
