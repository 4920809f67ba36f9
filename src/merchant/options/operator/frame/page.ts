// Input and output types of operator pages and actions, without Express: only `operator-routes.ts` uses Express.

import { paymentStatus } from '../../../core/payments/payment-chain';
import type { Context } from '../../../platform/context';
import type { LogFields, SentFrom } from '../../../platform/http/log-fields';
import type { PageTexts } from '../../../platform/http/views';
import type { OperatorRecords } from '../../../platform/operator-records';
import type { OperatorTexts } from '../texts';
import type { Failure } from './failure';
import { formatsIn } from './formats';
import { hrefOf, shortId } from './links';
import { may, type Role, type SignedIn } from './roles';
import { inWords, TONES, type ColumnName } from './words';

export type DoneKey = keyof OperatorTexts['operator']['done'];
/** What an operator does, as the audit log names it. */
export type ActionName = keyof OperatorTexts['operator']['actions'];

export type OperatorRequest = SignedIn & {
  params: Readonly<Record<string, string>>;
  /** Untrusted. Without `lang`. */
  query: Readonly<Record<string, unknown>>;
  /** Untrusted. */
  body: unknown;
  /** The texts of the reader's language. */
  words: OperatorTexts;
  /** The URL before a path, as the operator has reached it. */
  ownUrl: string;
  sent: SentFrom;
  log: (fields: LogFields) => void;
};

export type OperatorPage = {
  status?: number;
  /** File name under views/merchant/operator, without its extension. */
  template: string;
  title: (t: PageTexts<OperatorTexts>) => string;
  /** The part of its path that the navigation marks; null for the sign-in and for the page of an error. */
  place: string | null;
  isError?: boolean;
  data?: object;
};

export type OperatorAnswer =
  | { kind: 'page'; page: OperatorPage }
  /** After an action, so that a reload repeats nothing. */
  | { kind: 'redirect'; to: string; done: DoneKey | null }
  | { kind: 'csv'; name: string; lines: AsyncIterable<string> };

/**
 * Who may send it: each action says so, a page by default `view`. The audit log has every action, but of one that
 * `changesNothing`, such as the first step of a form, only a refusal for the role.
 */
type Guarded =
  | { method: 'get'; role?: Role }
  | { method: 'post'; role: Role; action: ActionName; changesNothing?: boolean };

export type OperatorRoute = Guarded & {
  /** As an Express path, with the full path. */
  path: string;
  /** The page with the form. If what was entered is refused, it is shown again with the entered values. */
  page?: OperatorRoute['handle'];
  /** The link on an error page; default: the overview. */
  back?: (request: OperatorRequest) => string;
  /** Query parameters that its URL may have. */
  filters?: readonly string[];
  /** @throws HttpError, ServiceError, DatabaseError: a page then shows the reason and the result */
  handle(context: Context, request: OperatorRequest): Promise<OperatorAnswer>;
};

/** The rows of options. */
export function recordsOf({ features }: Pick<Context, 'features'>): OperatorRecords<Context>[] {
  return features.flatMap(({ operatorRecords }) => operatorRecords ?? []);
}

export const toPage = (page: OperatorPage): OperatorAnswer => ({ kind: 'page', page });

type Action = Pick<OperatorRoute, 'path' | 'page'> & {
  /** Default: `decide`. */
  role?: Role;
  action: ActionName;
  /** The page with the form. */
  back: (request: OperatorRequest) => string;
  /** Where it leads once it is done; default: the page with the form. */
  to?: string;
  act(context: Context, request: OperatorRequest): Promise<DoneKey>;
};

/** An action that leads to a page, which says what was done. */
export function actionRoute({ role = 'decide', to, act, ...route }: Action): OperatorRoute {
  return {
    ...route,
    method: 'post',
    role,
    handle: async (context, request) => {
      const done = await act(context, request);
      return { kind: 'redirect', to: to ?? route.back(request), done };
    },
  };
}

type Shown = {
  lang: string;
  words: OperatorTexts;
  /** Null: nobody is signed in. */
  operator: Pick<SignedIn, 'by' | 'role' | 'accountId'> | null;
  place: string | null;
  done: unknown;
  failure: Failure | null;
};

/** Data that every template gets in addition to its page's. */
export function pageData(
  { clock, features }: Pick<Context, 'clock' | 'features'>,
  { lang, words, operator, place, done, failure }: Shown,
): object {
  const { by = null, role = null, accountId = null } = operator ?? {};
  const formats = formatsIn(lang, clock.now());
  return {
    by,
    accountId: accountId === null ? null : String(accountId),
    place,
    done,
    failure,
    /** Whether to show a form that needs this role. */
    may: (needed: Role) => role !== null && may(role, needed),
    /** What is wrong with a field of the refused form; null if it is right. */
    problemOf: (name: string) => problemOf(words, failure, name),
    /** The values entered into the form of this action; null if it was not refused. */
    typedIn: (action: string) => (failure?.form?.action === action ? failure.form.typed : null),
    tones: Object.assign({}, TONES, ...recordsOf({ features }).map(({ tones }) => tones)) as object,
    hrefOf,
    shortId,
    paymentStatus,
    formats,
    inWords: (name: ColumnName, value: string | number, kind?: string) =>
      inWords(words, formats, { name, value, kind }),
  };
}

function problemOf({ operator: { failed } }: OperatorTexts, failure: Failure | null, name: string) {
  if (!failure?.fields.includes(name)) return null;
  const { code, form } = failure;
  if (code !== 'invalid_request') return (failed.codes as Record<string, string>)[code] ?? failed.other;
  const key = name === 'amount' && form?.typed['how'] === 'all' ? 'amount_of_all' : name;
  return (failed.fields as Record<string, string>)[key] ?? null;
}

/** The non-empty fields: a form sends empty ones as well. */
export function formFields(body: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries((body ?? {}) as Record<string, unknown>).flatMap(([name, value]) =>
      typeof value === 'string' && value.trim() !== '' ? [[name, value]] : [],
    ),
  );
}
