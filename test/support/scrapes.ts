// /metrics as Prometheus reads it, again and again while the clock moves, and the alert rules on what was read.

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

const ALERTS = join(__dirname, '..', '..', 'monitoring', 'alerts.yaml');

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

/** Asks once, and adds `up`, which Prometheus adds. A process that does not answer gives nothing else. */
export async function scrape(url: string, at: number): Promise<Scrape> {
  const up = (value: number): Sample => ({ name: 'up', labels: { job: 'merchant' }, value });
  const text = await fetch(`${url}/metrics`).then(
    (response) => (response.ok ? response.text() : null),
    () => null,
  );
  return { at, samples: text === null ? [up(0)] : [up(1), ...parseMetrics(text)] };
}

/**
 * The alerts that fire at the last scrape: their expression has held at every scrape for as long as `for` says, as
 * Prometheus has it when it evaluates its rules at each scrape.
 */
export function firingAlerts(scrapes: readonly Scrape[], rules = readAlertRules()): string[] {
  return rules.flatMap((rule) => (fires(rule, scrapes) ? [rule.alert] : [])).sort();
}

function fires({ expr, for: held }: AlertRule, scrapes: readonly Scrape[]): boolean {
  const last = scrapes.at(-1);
  if (!last) return false;
  let since: number | null = null;
  for (const { at } of scrapes) {
    const holds = evaluate(expr, scrapes, at).length > 0;
    since = holds ? (since ?? at) : null;
  }
  return since !== null && last.at - since >= secondsOf(held);
}

function secondsOf(held: string | undefined): number {
  if (held === undefined) return 0;
  const [, minutes] = /^(\d+)m$/.exec(held) ?? [];
  if (minutes === undefined) throw new Error(`No duration in minutes: ${held}`);
  return Number(minutes) * 60;
}
