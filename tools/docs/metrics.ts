// The metrics of /metrics, with the alerts that watch each of them.

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { FEATURES } from '../../src/merchant/features';
import { AT_MOST } from '../../src/merchant/platform/gauge-store';
import { createMetrics } from '../../src/merchant/platform/metrics';
import { namesIn } from '../proof/alerts/promql';
import { readAlertRules } from '../proof/alerts/scrapes';
import { code, codes, table } from './markdown';

/** Not a static import, because a shop may have removed this option. */
const GAUGES = join(__dirname, '..', '..', 'src', 'merchant', 'options', 'monitoring', 'gauges.ts');
const HEADING = ['Metric', 'Labels', 'Meaning', 'Alerts'];
type GaugeRows = Readonly<Record<string, { help: string; label?: { name: string } }>>;
/** The fields of a metric in prom-client. */
type Counted = { name: string; help: string; labelNames?: string[] };

export function counterTable(): string {
  const counters = createMetrics(FEATURES).registry.getMetricsAsArray() as unknown as Counted[];
  return table(
    HEADING,
    counters.map(({ name, help, labelNames = [] }) => [code(name), codes(labelNames), help, alertsOn(name)]),
  );
}

export function gaugeTable(): string {
  if (!existsSync(GAUGES)) return '';
  const { gaugeRows } = createRequire(__filename)(GAUGES) as {
    gaugeRows(features: typeof FEATURES): GaugeRows;
  };
  return table(
    HEADING,
    Object.entries(gaugeRows(FEATURES)).map(([name, { help, label }]) => [
      code(name),
      label ? code(label.name) : '',
      // The page says it once.
      help.replace(` ${AT_MOST}`, ''),
      alertsOn(name),
    ]),
  );
}

/** Links each alert to its section of the runbook. */
function alertsOn(metric: string): string {
  return readAlertRules()
    .filter(({ expr }) => namesIn(expr).metrics.includes(metric))
    .map(({ alert, annotations }) => `[${alert}](${annotations.runbook.replace(/^docs\//, '')})`)
    .join('<br>');
}
