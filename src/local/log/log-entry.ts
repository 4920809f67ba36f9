// A line of a program's log, as the terminal is to show it. The values are those of the line: nothing is looked up, so that
// what is masked in the log is masked here.

/** A parsed line of JSON. */
export type LogEntry = Record<string, unknown>;

/** One event. */
export type ShownEvent = {
  /** `<-` came in, `->` goes out, `--` was done by the server itself, `!!` is a warning or an error. */
  mark: '<-' | '->' | '--' | '!!';
  /** What it was, and about which ids. */
  what: string[];
  /** What came of it; empty where the line does not say. */
  result: string[];
  tone: 'plain' | 'good' | 'warning' | 'error';
  /** Its cause and what to do, each on a line of its own. */
  notes: string[];
};

/** Of pino. */
const WARN = 40;
const ERROR = 50;

/** How bad the program says it is. */
export function toneOf({ level }: LogEntry): 'plain' | 'warning' | 'error' {
  if (typeof level !== 'number' || level < WARN) return 'plain';
  return level < ERROR ? 'warning' : 'error';
}

/** Text and numbers as they are; null where there is nothing to show. */
export function shown(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** Those of the fields that are there, in this order, each once. */
export function pick(entry: LogEntry, names: readonly string[]): string[] {
  return [...new Set(names.flatMap((name) => shown(entry[name]) ?? []))];
}

/** Fields that are not in `known`, as name=value. */
export function others(entry: LogEntry, known: ReadonlySet<string>): string[] {
  return Object.entries(entry)
    .filter(([name, value]) => !known.has(name) && value !== null && value !== '')
    .map(([name, value]) => `${name}=${shown(value) ?? JSON.stringify(value)}`);
}

export function recordOf(value: unknown): LogEntry {
  return typeof value === 'object' && value !== null ? (value as LogEntry) : {};
}
