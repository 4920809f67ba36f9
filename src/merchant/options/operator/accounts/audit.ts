// The audit log: who did what on the operator pages, when, from where and with which outcome. Every action of a route is
// recorded here, also a refused one, and so are downloads of lists, sign-ins and sign-outs, and the command `operators`. A
// row never holds what was typed into a form, a member's id or a password.

import { z } from 'zod';
import type { OperatorAction } from '../../../../generated/prisma/client';
import type { Context, OperatorPages } from '../../../platform/context';
import { textLine } from '../../../platform/http/body-fields';
import { errorResponse } from '../../../platform/http/error-response';
import { byId, defineList } from '../../../platform/http/list';
import type { LogFields, SentFrom } from '../../../platform/http/log-fields';
import { maskCardNumbers } from '../../../platform/http/mask-card-numbers';
import { isoTime } from '../../../platform/http/query';
import type { ActionName, OperatorAnswer, OperatorRequest, OperatorRoute } from '../frame/page';
import { wordsEn } from '../frame/word-texts.en';
import { wordsKo } from '../frame/word-texts.ko';
import { givenFilters, listRoutes } from '../lists/list-page';
import { findActions, insertAction, type NewAction } from './audit-store';
import { accountErrors } from './errors';

/**
 * Handles a request, and records it if the route is an action.
 * @throws what the handler throws
 */
export async function handleRecorded(
  context: Context,
  route: OperatorRoute,
  asked: OperatorRequest,
): Promise<OperatorAnswer> {
  const action = actionOf(route);
  if (action === null || (route.method === 'post' && route.changesNothing))
    return route.handle(context, asked);
  const logged: LogFields = {};
  const log = (fields: LogFields) => {
    Object.assign(logged, fields);
    asked.log(fields);
  };
  const record = (outcome: string) => recordOnRoute(context, route, asked, { outcome, logged });
  let answer: OperatorAnswer;
  try {
    answer = await route.handle(context, { ...asked, log });
  } catch (error) {
    await record(errorResponse(error).code);
    throw error;
  }
  // Some forms are shown again with a problem instead of an error.
  const isRefused = answer.kind === 'page' && answer.page.isError === true;
  await record(String(logged['outcome'] ?? (isRefused ? 'refused' : 'done')));
  return answer;
}

/** Records that the operator's role does not allow the action of a route. */
export async function recordRoleMissing(
  context: Context,
  route: OperatorRoute,
  asked: OperatorRequest,
): Promise<void> {
  const outcome = accountErrors.role_missing.code;
  await recordOnRoute(context, route, asked, { outcome, logged: {} });
}

async function recordOnRoute(
  context: Context,
  route: OperatorRoute,
  { by, accountId, params, query, sent }: OperatorRequest,
  { outcome, logged }: { outcome: string; logged: LogFields },
): Promise<void> {
  const action = actionOf(route);
  if (action === null) return;
  const subject = subjectOf(route, params);
  // The outcome and the id have columns of their own.
  const facts = Object.entries(logged).filter(
    ([name, value]) => name !== 'outcome' && value !== subject.subjectId,
  );
  // The names alone: a value may be a member's id.
  const filters = action === 'download' ? Object.keys(givenFilters(query)).filter(isPlainName).sort() : [];
  const row = shownRow({
    by,
    ...fromWhere(sent),
    action,
    ...subject,
    outcome,
    detail: {
      ...Object.fromEntries(facts),
      ...(filters.length > 0 && { filters: filters.join(' ') }),
      ...(accountId === null && WITHOUT_ACCOUNT),
    },
  });
  const named = {
    action: LOGGED_AS[action] ?? action,
    by: row.by,
    subject: row.subject,
    id: row.subjectId,
    outcome: row.outcome,
  };
  context.logger.info({ ...logged, ...row.detail, event: 'operator_action', ...named, ...sent });
  await recordAction(context, row);
}

/** The log's names of actions, where they are not those of the audit log. */
const LOGGED_AS: Partial<Record<ActionName, string>> = {
  sync: 'look_again',
  replay: 'send_event_again',
  approve: 'approve_refund',
  reject: 'reject_refund',
};

function fromWhere({ source, request_id }: SentFrom) {
  return { sourceAddress: source, requestId: request_id };
}

/** Anybody who knows OPERATOR_PASSWORD may have typed the name. */
const WITHOUT_ACCOUNT = { signed_in_with: 'OPERATOR_PASSWORD' } as const;

/** @param sender `by`: null if no account has the name that was typed */
export async function recordSession(
  context: Context,
  action: 'sign-in' | 'sign-out',
  { by, accountId, sent }: { by: string | null; accountId: bigint | null; sent: SentFrom },
  outcome: string,
): Promise<void> {
  const detail = by !== null && accountId === null ? WITHOUT_ACCOUNT : {};
  const row = { by, ...fromWhere(sent), subject: null, subjectId: null, outcome, detail };
  await recordAction(context, { ...row, action });
}

/**
 * The row is written after the action, because a row is never changed. If that fails, the action stays done and the log
 * has it.
 */
export async function recordAction(context: Context, row: NewAction): Promise<void> {
  const shown = shownRow(row);
  try {
    await insertAction(context, shown);
  } catch (error) {
    const { action, subject, outcome, by, requestId } = shown;
    const facts = { action, subject, outcome, by, request_id: requestId };
    context.logger.error({ err: error, event: 'operator_action_not_recorded', ...facts });
  }
}

/** As it may be kept, and logged. */
function shownRow(row: NewAction): NewAction {
  const { by, subjectId, outcome, detail } = row;
  return {
    ...row,
    by: by === null ? null : shownText(by, MOST_CHARACTERS.by),
    subjectId: subjectId === null ? null : shownText(subjectId, MOST_CHARACTERS.subjectId),
    outcome: shownText(outcome, MOST_CHARACTERS.outcome),
    detail: Object.fromEntries(
      Object.entries(detail).map(([name, value]) => [
        name,
        typeof value === 'string' ? shownText(value, MOST_CHARACTERS.detail) : value,
      ]),
    ),
  };
}

const MOST_CHARACTERS = { by: 64, subjectId: 100, outcome: 64, detail: 200 } as const;
/** The database cannot hold all of them, and a path may have any. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/gu;

/** Names and ids may be whatever somebody has typed, so card numbers are masked. */
function shownText(text: string, length: number): string {
  return maskCardNumbers(text.replace(UNPRINTABLE, '?')).slice(0, length);
}

/** Null for a page that only shows something. */
function actionOf(route: OperatorRoute): ActionName | null {
  if (route.method === 'post') return route.action;
  return route.path.endsWith(CSV) ? 'download' : null;
}

const CSV = '.csv';
const NO_SUBJECTS = ['', 'operator', 'desk'];

/** Of `/operator/desk/refunds/:id/settle`: the subject `refunds` with its id. Of `/operator/accounts`: `accounts`. */
function subjectOf(
  { path }: OperatorRoute,
  params: OperatorRequest['params'],
): Pick<NewAction, 'subject' | 'subjectId'> {
  const words = path.split('/').filter((word) => !NO_SUBJECTS.includes(word));
  const lastParam = words.findLastIndex((word) => word.startsWith(':'));
  if (lastParam < 1) return { subject: words[0]?.replace(CSV, '') ?? null, subjectId: null };
  return {
    subject: words[lastParam - 1] ?? null,
    subjectId: params[words[lastParam]?.slice(1) ?? ''] ?? null,
  };
}

/** Filters of the lists look like this. Another name in a query may be a value. */
const isPlainName = (name: string) => /^[a-z_]{1,20}$/.test(name);

const auditList = defineList({
  filters: {
    by: textLine(64).optional(),
    action: z.enum(Object.keys(wordsEn.actions) as ActionName[]).optional(),
    from: isoTime.optional(),
    to: isoTime.optional(),
  },
  cursor: byId,
  find: findActions,
  json: (row) => row,
});

const AUDIT = 'audit';

export const AUDIT_PAGES = {
  path: `/operator/${AUDIT}`,
  name: { ko: wordsKo.subjects.audit, en: wordsEn.subjects.audit },
  routes: listRoutes({
    place: AUDIT,
    role: 'admin',
    list: auditList,
    time: 'timestamp',
    filters: ['by', 'action', 'from', 'to'],
    columns: [
      { name: 'timestamp', kind: 'time', value: (row) => row.at.toISOString() },
      { name: 'by', kind: 'text', value: (row) => row.by },
      { name: 'action', kind: 'words', value: (row) => row.action },
      { name: 'subject', kind: 'words', value: (row) => row.subject },
      { name: 'subject_id', kind: 'subject', value: (row) => row.subjectId, of: (row) => row.subject ?? '' },
      { name: 'outcome', kind: 'status', value: (row) => row.outcome },
      { name: 'detail', kind: 'words', value: detailText },
      { name: 'source_address', kind: 'text', value: (row) => row.sourceAddress },
    ],
  }),
} satisfies OperatorPages;

function detailText({ detail }: OperatorAction): string | null {
  const facts = Object.entries(detail as object).map(([name, value]) => `${name}: ${String(value)}`);
  return facts.length === 0 ? null : facts.join(', ');
}
