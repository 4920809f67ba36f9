// The generated blocks are current, the pages stay short, and `.env.example` has every setting. If the first fails, run
// `npm run docs`.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FEATURES } from '../../../src/merchant/features';
import { createMetrics } from '../../../src/merchant/platform/metrics';
import { SETTING_NAMES } from '../../../src/merchant/settings';
import { logCalls, sources } from '../../docs/log-events';
import { generatedPages, unusedBlocks } from '../../docs/pages';

const ROOT = join(__dirname, '..', '..', '..');
const DOCS = join(ROOT, 'docs');
const MERCHANT = join(ROOT, 'src', 'merchant');

const pages = generatedPages();

test('every generated block of the pages is current', () => {
  expect(pages.length).toBeGreaterThan(4);
  const stale = pages.filter(({ written, current }) => written !== current).map(({ page }) => page);
  expect(stale).toEqual([]);
});

test('every generated block is on a page', () => {
  expect(unusedBlocks(pages)).toEqual([]);
});

// The generated table of events is read from the calls of the logger.
test('every log line except those of requests has an event', () => {
  const pattern = /\blogger(?:\.(?:info|warn|error|fatal)|\[[^\]]+\])\(/g;
  const calls = sources().flatMap(({ text }) => text.match(pattern) ?? []);
  expect(logCalls()).toHaveLength(calls.length);
  for (const { path, body } of logCalls()) expect([path, /\bevent\b/.test(body)]).toEqual([path, true]);
});

// The generated table of counters is read from those that are registered.
test('every counter that is defined is registered', () => {
  const defined = sources().flatMap(({ text }) =>
    [...text.matchAll(/'(merchant_\w+_total)'/g)].map(([, name]) => name),
  );
  const registered = createMetrics(FEATURES)
    .registry.getMetricsAsArray()
    .map(({ name }) => name);
  expect(registered.sort()).toEqual(defined.sort());
});

// A fact stands on one page. A word has a letter or a digit. The Korean pages are translations, and comments are
// marks for programs: they do not count.
test('the pages of docs have at most 36,000 words', () => {
  const names = readdirSync(DOCS, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  const english = names.filter((name) => !name.startsWith('ko/'));
  expect(english.length).toBeGreaterThan(40);
  const words = english.flatMap((name) =>
    readFileSync(join(DOCS, name), 'utf8')
      .replaceAll(/<!--[^]*?-->/g, ' ')
      .split(/\s+/),
  );
  expect(words.filter((word) => /[\p{L}\p{N}]/u.test(word)).length).toBeLessThanOrEqual(36_000);
});

test('start has every command of the merchant', () => {
  const commands = readdirSync(MERCHANT, { recursive: true, encoding: 'utf8' })
    .filter((file) => /^(cli|options\/.*)\/[\w-]+\.ts$/.test(file))
    .filter((file) => /\bvoid runCommand\(/.test(readFileSync(join(MERCHANT, file), 'utf8')));
  expect(commands.length).toBeGreaterThan(8);
  const start = readFileSync(join(DOCS, '01-start.md'), 'utf8');
  expect(commands.map(spelledOut).filter((command) => !start.includes(`- \`${command}`))).toEqual([]);
});

test('.env.example lists every setting that is read, and no other', () => {
  const example = readFileSync(join(ROOT, '.env.example'), 'utf8');
  const listed = [...example.matchAll(/^# ([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name);
  const ofSandbox = ['PORT', 'HOST', 'DATA_DIR', 'MERCHANT_API_KEY', 'WEBHOOK_URL'];
  const ofTheOthers = ['DATA_DIR', 'LOG_FORMAT', ...ofSandbox.map((name) => `SANDBOX_${name}`)];
  const examples = join(DOCS, 'examples');
  const ofExamples = readdirSync(examples, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [...readFileSync(join(examples, file), 'utf8').matchAll(/process\.env\['(\w+)'\]/g)])
    .map(([, name]) => name);
  expect(ofExamples.length).toBeGreaterThan(1);
  expect([...listed].sort()).toEqual([...SETTING_NAMES, ...ofTheOthers, ...new Set(ofExamples)].sort());
});

/** As one types it: a script of package.json, or a program of `npm run tool`. */
function spelledOut(file: string): string {
  const path = `src/merchant/${file}`;
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const [script] = Object.entries(scripts).find(([, line]) => line.endsWith(path)) ?? [];
  if (script !== undefined) return `npm run ${script}`;
  const tools = readFileSync(join(ROOT, 'scripts', 'run.mjs'), 'utf8');
  const [, tool] = new RegExp(`'?([\\w-]+)'?: \\[\\s*'${path}'`).exec(tools) ?? [];
  return tool === undefined
    ? `${file}: neither in package.json nor in scripts/run.mjs`
    : `npm run tool -- ${tool}`;
}
