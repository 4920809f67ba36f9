// One press of a button: turns the fields of a console form into the calls that a program would make, and keeps the result
// until the page has shown it.

import { HttpError } from '../http/answer';
import type { consoleKo } from '../locales/console-ko';
import type { Notification } from '../notifications/notification';
import type { Service } from '../service';
import { valueIn, type Call, type DoneCall, type Scene } from '../stories/scene';

export type Fields = Record<string, unknown>;

export type Outcome = {
  result: keyof typeof consoleKo.results;
  /** The payment concerned, and its order. */
  svcUid?: string;
  order?: string;
};

/** What became due with a move of the clock. */
export type Happened = { scheduleIds: readonly number[]; notificationIds: readonly number[] };

export type PressResult = Outcome & {
  form: string;
  done: DoneCall[];
  /** What the merchant answered to the notifications of this press; null if none was sent. */
  answers: string | null;
  /** After a move of the clock. */
  happened: Happened | null;
};

const MAX_KEPT = 100;
/** A receiver may take 30 s; the page does not wait that long. */
export const MAX_WAIT_MS = 3_000;
const WHOLE_NUMBERS = [
  'amount',
  'times',
  'status',
  'delay_ms',
  'bytes',
  'seed',
  'count',
  'advance_seconds',
  'legacy_sends',
];

export function createPressResults() {
  const kept = new Map<string, PressResult>();
  let last = 0;
  return {
    keep(result: PressResult): string {
      last += 1;
      kept.set(String(last), result);
      if (kept.size > MAX_KEPT) kept.delete([...kept.keys()][0] ?? '');
      return String(last);
    },
    find: (id: unknown): PressResult | null => (typeof id === 'string' ? (kept.get(id) ?? null) : null),
  };
}

export type PressResults = ReturnType<typeof createPressResults>;

/** Returns the named fields that have a value, with the types that a program would send. */
export function given(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = fields[name];
      return value === undefined || value === '' ? [] : [[name, valueOf(name, value)]];
    }),
  );
}

function valueOf(name: string, value: unknown): unknown {
  if (value === 'true' || value === 'on') return true;
  if (value === 'false') return false;
  const isNumber = WHOLE_NUMBERS.includes(name) && typeof value === 'string' && /^\d{1,15}$/.test(value);
  return isNumber ? Number(value) : value;
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Makes a call that must succeed. Throws the other program's error, as a 502 if the merchant failed. */
export async function mustCall(scene: Scene, call: Call): Promise<unknown> {
  const answer = await scene.call(call).catch((error: unknown) => {
    throw error instanceof HttpError ? error : new HttpError(502, `${call.to}: no answer`);
  });
  if (answer.status < 300) return answer.body;
  if (call.to === 'merchant')
    throw new HttpError(502, `merchant: ${answer.status} ${valueIn(answer.body, 'error', 'code')}`);
  throw new HttpError(answer.status, valueIn(answer.body, 'message') || 'the sandbox itself failed');
}

/** Waits briefly for the answers to notifications sent after `lastId`. */
export async function readAnswers({ notifier }: Service, lastId: number): Promise<string | null> {
  await Promise.race([notifier.idle(), new Promise((resolve) => setTimeout(resolve, MAX_WAIT_MS).unref())]);
  const sent = notifier.list().filter(({ id }) => id > lastId);
  if (sent.length === 0) return null;
  const counts = new Map<string, number>();
  for (const one of sent) counts.set(answerText(one), (counts.get(answerText(one)) ?? 0) + 1);
  return [...counts]
    .filter(([text]) => text !== '')
    .map(([text, count]) => (count > 1 ? `${text} × ${count}` : text))
    .join(', ');
}

/** The last answer's status with the merchant's `outcome`; '' before the first attempt. */
export function answerText({ attempts }: Pick<Notification, 'attempts'>): string {
  const last = attempts.at(-1);
  if (!last) return '';
  if (!last.answer) return last.error ?? '';
  const { status, body } = last.answer;
  return `${status} ${/"outcome"\s*:\s*"(\w{1,40})"/.exec(body)?.[1] ?? ''}`.trim();
}
