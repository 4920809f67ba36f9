// monitoring/: every expression is valid PromQL with existing metrics and labels, and every alert links to a section of the runbook.
// tools/test/flows/monitoring shows that /metrics has these metrics, and that the alerts fire.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { discrepancyKinds } from '../../../../src/merchant/core/discrepancies/kinds';
import { FEATURES } from '../../../../src/merchant/features';
import { gaugeRows } from '../../../../src/merchant/options/monitoring/gauges';
import { createMetrics } from '../../../../src/merchant/platform/metrics';
import { namesIn, parseExpression } from '../../../proof/alerts/promql';
import { readAlertRules } from '../../../proof/alerts/scrapes';

const ROOT = join(__dirname, '..', '..', '..', '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

type Panel = { title: string; targets?: { expr: string }[] };
const dashboard = JSON.parse(read('deploy/monitoring/grafana-dashboard.json')) as { panels: Panel[] };
const rules = readAlertRules();
const targets = dashboard.panels.flatMap(({ title, targets: of = [] }) =>
  of.map((each) => ({ title, ...each })),
);
const expressions = [
  ...rules.map(({ alert, expr }) => ({ where: alert, expr })),
  ...targets.map(({ title, expr }) => ({ where: title, expr })),
];

/** Labels by metric: of our own registry, of the process, and those that Prometheus adds. */
function knownLabels(): Map<string, readonly string[]> {
  const metrics = createMetrics(FEATURES);
  metrics.observeProcess();
  const counted = metrics.registry.getMetricsAsArray() as unknown as {
    name: string;
    labelNames?: string[];
  }[];
  return new Map<string, readonly string[]>([
    ...counted.map(({ name, labelNames = [] }) => [name, labelNames] as const),
    ...Object.entries(gaugeRows(FEATURES)).map(
      ([name, { label }]) => [name, label ? [label.name] : []] as const,
    ),
    ['up', []],
  ]);
}
const known = knownLabels();
/** Prometheus adds these to everything that it scrapes. */
const OF_PROMETHEUS = ['job', 'instance'];

test.each(expressions)('$where: PromQL with existing metrics and labels', ({ expr }) => {
  parseExpression(expr);
  const { metrics, labels } = namesIn(expr);
  expect(metrics.length).toBeGreaterThan(0);
  const unknown = metrics.filter((name) => !known.has(name));
  expect(unknown).toEqual([]);
  const allowed = [...metrics.flatMap((name) => known.get(name) ?? []), ...OF_PROMETHEUS];
  expect(labels.filter((label) => !allowed.includes(label))).toEqual([]);
});

test('the dashboard has every metric of ours', () => {
  const shown = targets.flatMap(({ expr }) => namesIn(expr).metrics);
  const ours = [...known.keys()].filter((name) => name.startsWith('merchant_'));
  expect(ours.filter((name) => !shown.includes(name))).toEqual([]);
});

/** Anchors as GitHub makes them from headings. */
const anchors = [...read('docs/06-runbook.md').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
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
  expect(page).toBe('docs/06-runbook.md');
  expect(anchors).toContain(anchor);
});

test('every kind of discrepancy that may hold money has an alert', () => {
  const kinds = rules.flatMap(
    ({ expr }) => /merchant_discrepancies_open\{kind=~"([\w|]+)"\}/.exec(expr)?.[1]?.split('|') ?? [],
  );
  const withoutMoney = ['order_mismatch', 'unknown_payment', 'unknown_billing_key'];
  expect([...kinds, ...withoutMoney].sort()).toEqual([...discrepancyKinds].sort());
});
