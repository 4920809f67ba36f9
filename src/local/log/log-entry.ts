// A line of a program's log, as shown on a terminal. All values come from the line itself, so everything masked in the log is
// masked here.

export type LogEntry = Record<string, unknown>;

export type ShownEvent = {
  /** `<-` incoming, `->` outgoing, `--` by the server itself, `!!` a warning or an error. */
  mark: '<-' | '->' | '--' | '!!';
  /** The name of the event and its ids. */
  what: string[];
  /** The result; empty if the line has none. */
  result: string[];
  tone: 'plain' | 'good' | 'warning' | 'error';
  /** The cause and the remedy, one line each. */
  notes: string[];
};

/** Levels of pino. */
const WARN = 40;
const ERROR = 50;

export function toneOf({ level }: LogEntry): 'plain' | 'warning' | 'error' {
  if (typeof level !== 'number' || level < WARN) return 'plain';
  return level < ERROR ? 'warning' : 'error';
}

/** Returns the value as text; null if there is nothing to show. */
export function shown(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** Returns the values of the named fields, in this order, without duplicates. */
export function pick(entry: LogEntry, names: readonly string[]): string[] {
  return [...new Set(names.flatMap((name) => shown(entry[name]) ?? []))];
}

/** Returns the fields that are not in `known`, as name=value. */
export function others(entry: LogEntry, known: ReadonlySet<string>): string[] {
  return Object.entries(entry)
    .filter(([name, value]) => !known.has(name) && value !== null && value !== '')
    .map(([name, value]) => `${name}=${shown(value) ?? JSON.stringify(value)}`);
}

export function recordOf(value: unknown): LogEntry {
  return typeof value === 'object' && value !== null ? (value as LogEntry) : {};
}
