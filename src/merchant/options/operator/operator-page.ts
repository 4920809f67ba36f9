// Input and output types of operator pages and actions, without Express: only `operator-routes.ts` uses Express.

import { contradictionText, type Contradiction } from '../../core/attempts/contradiction';
import type { Context } from '../../platform/context';
import type { LogFields } from '../../platform/http/request-log';
import type { PageTexts } from '../../platform/http/views';
import { inWords, TONES, type ColumnName } from './foreign-words';
import { formatsIn, type Formats } from './formats';
import { may, type Role } from './roles';
import type { OperatorTexts } from './texts.ko';

export type Place = keyof OperatorTexts['operator']['places'];
export type DoneKey = keyof OperatorTexts['operator']['done'];

/** Why a page could not be shown, or an action failed. */
export type Failure = {
  code: string;
  /** For `invalid_request`: the invalid fields. */
  fields: readonly string[];
  /** What the payment service shows against a decision. */
  contradiction: Contradiction | null;
  /** The payment service's message, in its language; null if it sent none. */
  serviceSays: string | null;
  requestId: string;
  /** For a refused form: its action URL, and the fields that may be shown again. Null for a page. */
  form: { action: string; typed: Readonly<Record<string, string>> } | null;
};

export type OperatorRequest = {
  /** The name of the signed-in operator, recorded with every decision. */
  by: string;
  role: Role;
  /** Hash of the session's token; null: a proxy has named the operator. */
  session: string | null;
  params: Readonly<Record<string, string>>;
  /** Untrusted. Without `lang`. */
  query: Readonly<Record<string, unknown>>;
  /** Untrusted. */
  body: unknown;
  /** The URL before a path, as the operator has reached it. */
  ownUrl: string;
  log: (fields: LogFields) => void;
};

export type OperatorPage = {
  status?: number;
  /** File name under views/merchant/operator, without its extension. */
  template: string;
  title: (t: PageTexts<OperatorTexts>) => string;
  place: Place | null;
  isError?: boolean;
  data?: object;
};

export type OperatorAnswer =
  | { kind: 'page'; page: OperatorPage }
  /** After an action, so that a reload repeats nothing. */
  | { kind: 'redirect'; to: string; done: DoneKey }
  | { kind: 'csv'; name: string; lines: AsyncIterable<string> };

export type OperatorRoute = {
  method: 'get' | 'post';
  /** As an Express path, with the full path. */
  path: string;
  /** Who may send it. Default: `view` for GET, `decide` for POST. */
  role?: Role;
  /** The page with the action's form. If the action is refused, it is shown again with the entered values. */
  page?: OperatorRoute['handle'];
  /** The link on an error page; default: the overview. */
  back?: (request: OperatorRequest) => string;
  /** Query parameters that its URL may have. */
  filters?: readonly string[];
  /** @throws HttpError, ServiceError, DatabaseError: a page then shows the reason and the result */
  handle(context: Context, request: OperatorRequest): Promise<OperatorAnswer>;
};

export const toPage = (page: OperatorPage): OperatorAnswer => ({ kind: 'page', page });

/** Data that every template gets in addition to its page's. */
export function pageData(
  { clock }: Pick<Context, 'clock'>,
  {
    by,
    role,
    place,
    done,
    failure,
  }: { by: string | null; role: Role | null; place: Place | null; done: unknown; failure: Failure | null },
): object {
  const now = clock.now();
  return {
    by,
    place,
    done,
    failure,
    /** Whether to show a form that needs this role. */
    may: (needed: Role) => role !== null && may(role, needed),
    /** The values entered into the form of this action; null if it was not refused. */
    typedIn: (action: string) => (failure?.form?.action === action ? failure.form.typed : null),
    tones: TONES,
    formats: ({ lang }: PageTexts<OperatorTexts>): Formats => formatsIn(lang, now),
    contradictionText,
    inWords: (t: PageTexts<OperatorTexts>, name: ColumnName, value: string | number, kind?: string) =>
      inWords(t, formatsIn(t.lang, now), { name, value, kind }),
  };
}
