// docs/operations.md names every metric with its labels, and every event of the log with its level, as the code has them.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FEATURES } from '../../../src/merchant/features';
import { gaugeRows } from '../../../src/merchant/options/monitoring/gauges';
import { createMetrics } from '../../../src/merchant/platform/metrics';

const ROOT = join(__dirname, '..', '..', '..');
const page = readFileSync(join(ROOT, 'docs', 'operations.md'), 'utf8');
const chapter = (title: string) => page.split(/^##+ /m).find((each) => each.startsWith(`${title}\n`)) ?? '';

/** The cells of each row of the table of a chapter, without the heading. */
const rowsOf = (title: string) =>
  (chapter(title).match(/^\| `.*$/gm) ?? []).map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
const wordsIn = (cell = '') => [...cell.matchAll(/`(\w+)`/g)].map(([, word = '']) => word);

/** Names and labels as the page has them. */
const onPage = (title: string) => rowsOf(title).map(([name, labels]) => [...wordsIn(name), wordsIn(labels)]);

test('every counter stands on the page with its labels, in the order of the code', () => {
  const counters = createMetrics(FEATURES).registry.getMetricsAsArray() as unknown as Counted[];
  expect(counters.length).toBeGreaterThan(10);
  expect(onPage('Counters')).toEqual(counters.map(({ name, labelNames }) => [name, labelNames ?? []]));
});

type Counted = { name: string; labelNames?: string[] };

test('every counter that is defined is registered', () => {
  const defined = sources.flatMap(({ text }) =>
    [...text.matchAll(/'(merchant_\w+_total)'/g)].map(([, name]) => name),
  );
  const registered = createMetrics(FEATURES)
    .registry.getMetricsAsArray()
    .map(({ name }) => name);
  expect(defined.sort()).toEqual(registered.sort());
});

test('every gauge stands on the page with its label, in the order of the code', () => {
  expect(onPage('Gauges')).toEqual(
    Object.entries(gaugeRows(FEATURES)).map(([name, { label }]) => [name, label ? [label.name] : []]),
  );
});

/** Writes the lines of requests, which have no event. */
const REQUEST_LOG = 'platform/http/request-log.ts';

const sources = readdirSync(join(ROOT, 'src/merchant'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && path !== REQUEST_LOG)
  .map((path) => ({ path, text: readFileSync(join(ROOT, 'src/merchant', path), 'utf8') }));

/** Each call of a logger: its level, or both where it depends, and the text of its argument up to the event. */
const logged = sources.flatMap(({ path, text }) =>
  [...text.matchAll(/\blogger(?:\.(info|warn|error|fatal)|\[[^\]]+\])\(\s*\{([^]*?)\}\s*\)/g)].map(
    ([, level, body = '']) => ({ path, levels: level ? [level] : ['info', 'warn'], body }),
  ),
);

/** By event, its levels. */
function eventsOfCode(): Map<string, Set<string>> {
  const events = new Map<string, Set<string>>();
  const add = (event: string, levels: string[]) =>
    events.set(event, new Set([...(events.get(event) ?? []), ...levels]));
  for (const { levels, body } of logged) {
    const [, value = ''] = /\bevent: ([^,}]+)/.exec(body) ?? [];
    for (const [, event = ''] of value.matchAll(/'(\w+)'/g)) add(event, levels);
  }
  // server.ts ends the process with a line whose event is an argument.
  for (const { text } of sources)
    for (const [, event = ''] of text.matchAll(/\bfail\(logger, '(\w+)'/g)) add(event, ['fatal']);
  return events;
}

test('every line of the log that is no request has an event', () => {
  const calls = sources.flatMap(
    ({ text }) => text.match(/\blogger(?:\.(?:info|warn|error|fatal)|\[[^\]]+\])\(/g) ?? [],
  );
  expect(logged).toHaveLength(calls.length);
  for (const { path, body } of logged) expect([path, /\bevent\b/.test(body)]).toEqual([path, true]);
});

test('every event of the log stands on the page with its level, and no other', () => {
  const events = eventsOfCode();
  expect(events.size).toBeGreaterThan(35);
  const ofPage = rowsOf('Events').map(([event, levels = '']) => [
    wordsIn(event)[0],
    levels.split(', ').sort(),
  ]);
  const ofCode = [...events].map(([event, levels]) => [event, [...levels].sort()]);
  expect(ofPage.sort()).toEqual(ofCode.sort());
});
