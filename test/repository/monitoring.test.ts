// monitoring/: every expression is PromQL, names metrics and labels that there are, and every alert leads to a section of
// the runbook. test/flows/operations shows that /metrics has these metrics, and that the alerts fire.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { evaluate, namesIn, parseExpression } from '../../proof/alerts/promql';
import { readAlertRules } from '../../proof/alerts/scrapes';
import { createMetrics } from '../../src/merchant/metrics';
import { GAUGE_LABELS } from '../../src/merchant/operations/gauges';
import { discrepancyKinds } from '../../src/merchant/payments/discrepancy-kinds';

const ROOT = join(__dirname, '..', '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

type Panel = { title: string; type: string; gridPos: Record<'h' | 'w' | 'x' | 'y', number>; id: number } & {
  targets?: { expr: string; legendFormat: string }[];
};
const dashboard = JSON.parse(read('monitoring/grafana-dashboard.json')) as {
  schemaVersion: number;
  panels: Panel[];
};
const rules = readAlertRules();
const targets = dashboard.panels.flatMap(({ title, targets: of = [] }) =>
  of.map((each) => ({ title, ...each })),
);
const expressions = [
  ...rules.map(({ alert, expr }) => ({ where: alert, expr })),
  ...targets.map(({ title, expr }) => ({ where: title, expr })),
];

/** Labels by metric: of our own registry, of the process, and of what Prometheus adds. */
function knownLabels(): Map<string, readonly string[]> {
  const metrics = createMetrics();
  metrics.observeProcess();
  const counted = metrics.registry.getMetricsAsArray() as unknown as {
    name: string;
    labelNames?: string[];
  }[];
  return new Map<string, readonly string[]>([
    ...counted.map(({ name, labelNames = [] }) => [name, labelNames] as const),
    ...Object.entries(GAUGE_LABELS),
    ['up', []],
  ]);
}
const known = knownLabels();
/** Prometheus gives these to everything that it scrapes. */
const OF_PROMETHEUS = ['job', 'instance'];

test('there are rules for each part of the server, and panels in rows', () => {
  expect(rules.length).toBeGreaterThan(18);
  expect(dashboard.panels.filter(({ type }) => type === 'row').map(({ title }) => title)).toEqual([
    'Intake',
    'Money',
    'People',
    'Jobs and events',
    'Payment service',
    'Process',
  ]);
  expect(targets.length).toBeGreaterThan(25);
});

test.each(expressions)('$where: PromQL over metrics and labels that there are', ({ expr }) => {
  parseExpression(expr);
  const { metrics, labels } = namesIn(expr);
  expect(metrics.length).toBeGreaterThan(0);
  const unknown = metrics.filter((name) => !known.has(name));
  expect(unknown).toEqual([]);
  const allowed = [...metrics.flatMap((name) => known.get(name) ?? []), ...OF_PROMETHEUS];
  expect(labels.filter((label) => !allowed.includes(label))).toEqual([]);
});

test('every legend names a label that its metric has', () => {
  for (const { title, expr, legendFormat } of targets) {
    const allowed = [...namesIn(expr).metrics.flatMap((name) => known.get(name) ?? []), ...OF_PROMETHEUS];
    for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
      expect([title, allowed]).toEqual([title, expect.arrayContaining([label])]);
  }
});

test('every metric of ours is on the dashboard', () => {
  const shown = targets.flatMap(({ expr }) => namesIn(expr).metrics);
  const ours = [...known.keys()].filter((name) => name.startsWith('merchant_'));
  expect(ours.filter((name) => !shown.includes(name))).toEqual([]);
});

/** As GitHub makes them of headings. */
const anchors = [...read('docs/runbook.md').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-'),
);

test.each(rules)('$alert: severity, texts, and a section of the runbook', ({ labels, annotations }) => {
  expect(['critical', 'warning']).toContain(labels.severity);
  const { summary, description, runbook } = annotations;
  expect(summary).toMatch(/^(\S.*|\{\{.*)\.$/);
  expect(description).toMatch(/^\S.*\.$/);
  const [page, anchor] = runbook.split('#');
  expect(page).toBe('docs/runbook.md');
  expect(anchors).toContain(anchor);
});

test('a text names only labels that its expression leaves', () => {
  for (const { alert, expr, annotations } of rules)
    for (const [, label] of JSON.stringify(annotations).matchAll(/\$labels\.(\w+)/g))
      expect([alert, namesIn(expr).labels]).toEqual([alert, expect.arrayContaining([label])]);
});

test('every kind of discrepancy that may hold money has an alert', () => {
  const kinds = rules.flatMap(
    ({ expr }) => /merchant_discrepancies_open\{kind=~"([\w|]+)"\}/.exec(expr)?.[1]?.split('|') ?? [],
  );
  const withoutMoney = ['order_mismatch', 'unknown_payment'];
  expect([...kinds, ...withoutMoney].sort()).toEqual([...discrepancyKinds].sort());
});

const scrape = (at: number, value: number, labels = {}) => ({ at, samples: [{ name: 'a', labels, value }] });

test('the evaluator throws at what it does not know, and at what is no PromQL', () => {
  expect(() => evaluate('a offset 5m > 0', [scrape(0, 1)], 0)).toThrow();
  expect(() => parseExpression('sum(')).toThrow('No PromQL');
});

test('the evaluator counts a restart as a new beginning, and forgets what is not scraped any more', () => {
  const scrapes = [scrape(0, 5), scrape(60, 8), scrape(120, 2)];
  expect(evaluate('increase(a[5m]) > 0', scrapes, 120)).toEqual([{ labels: {}, value: 5 }]);
  expect(evaluate('a > 1', scrapes, 120)).toEqual([{ labels: {}, value: 2 }]);
  expect(evaluate('a > 1', scrapes, 500)).toEqual([]);
  expect(evaluate('a{b="c"} > 1', scrapes, 120)).toEqual([]);
  expect(evaluate('time() - max(a) > 100', scrapes, 120)).toEqual([{ labels: {}, value: 118 }]);
});
