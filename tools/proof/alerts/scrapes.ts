// Scrapes /metrics as Prometheus does while the clock moves, and evaluates the alert rules on the scrapes.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { evaluate, type Sample, type Scrape } from './promql';

export type AlertRule = {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; description: string; runbook: string };
};

const ALERTS = join(__dirname, '..', '..', '..', 'deploy', 'monitoring', 'alerts.yaml');

export function readAlertRules(): AlertRule[] {
  const { groups } = parse(readFileSync(ALERTS, 'utf8')) as { groups: { rules: AlertRule[] }[] };
  return groups.flatMap(({ rules }) => rules);
}

/** The samples of an answer in the text format. */
export function parseMetrics(text: string): Sample[] {
  return text.split('\n').flatMap((line) => {
    if (line === '' || line.startsWith('#')) return [];
    const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new Error(`No sample: ${line}`);
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
    return [
      { name, labels: Object.fromEntries(pairs.map(([, label, of]) => [label, of])), value: Number(value) },
    ];
  });
}

/** Scrapes once, and adds `up` as Prometheus does. A process that does not answer has no other samples. */
export async function scrape(url: string, at: number): Promise<Scrape> {
  const up = (value: number): Sample => ({ name: 'up', labels: { job: 'merchant' }, value });
  const text = await fetch(`${url}/metrics`).then(
    (response) => (response.ok ? response.text() : null),
    () => null,
  );
  return { at, samples: text === null ? [up(0)] : [up(1), ...parseMetrics(text)] };
}

/** The longest range of a rule. */
const LONGEST_RANGE_SECONDS = 3600;

/**
 * Evaluates the rules at each scrape, as Prometheus does: an alert fires when its expression was true at every scrape during
 * `for`.
 * @returns a function that takes the next scrape of one process, and returns the firing alerts
 */
export function watchAlerts(rules = readAlertRules()): (next: Scrape) => string[] {
  let scrapes: Scrape[] = [];
  const heldSince = new Map<AlertRule, number>();
  return (next) => {
    scrapes = [...scrapes.filter(({ at }) => at >= next.at - LONGEST_RANGE_SECONDS), next];
    const fires = (rule: AlertRule): boolean => {
      if (evaluate(rule.expr, scrapes, next.at).length === 0) {
        heldSince.delete(rule);
        return false;
      }
      const since = heldSince.get(rule) ?? next.at;
      heldSince.set(rule, since);
      return next.at - since >= secondsOf(rule.for);
    };
    return rules
      .filter(fires)
      .map(({ alert }) => alert)
      .sort();
  };
}

/** The alerts that fire at the last of all scrapes of one process. */
export function firingAlerts(scrapes: readonly Scrape[], rules = readAlertRules()): string[] {
  return scrapes.map(watchAlerts(rules)).at(-1) ?? [];
}

function secondsOf(held: string | undefined): number {
  if (held === undefined) return 0;
  const [, minutes] = /^(\d+)m$/.exec(held) ?? [];
  if (minutes === undefined) throw new Error(`No duration in minutes: ${held}`);
  return Number(minutes) * 60;
}
