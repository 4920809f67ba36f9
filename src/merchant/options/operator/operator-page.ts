// What a page or an action of the operators takes and answers, without express: `operator-routes.ts` is the border.

import { contradictionText, type Contradiction } from '../../core/attempts/contradiction';
import type { Context } from '../../platform/context';
import type { LogFields } from '../../platform/http/request-log';
import type { PageTexts } from '../../platform/http/views';
import { inWords, TONES, type ColumnName } from './foreign-words';
import { formatsIn, type Formats } from './formats';
import type { OperatorTexts } from './texts.ko';

export type Place = keyof OperatorTexts['operator']['places'];
export type DoneKey = keyof OperatorTexts['operator']['done'];

/** Why a page could not be shown, or an action not done. */
export type Failure = {
  code: string;
  /** Of `invalid_request`: the fields that cannot be used. */
  fields: readonly string[];
  /** What the payment service shows against a decision. */
  contradiction: Contradiction | null;
  /** The payment service's own words, in its language; null where it gave none. */
  serviceSays: string | null;
  requestId: string;
  /** Of a form that was refused: where it was posted to, and what of it may be shown again. Null for a page. */
  form: { action: string; typed: Readonly<Record<string, string>> } | null;
};

export type OperatorRequest = {
  /** The name under which the operator has signed in: what is decided is written down with it. */
  by: string;
  params: Readonly<Record<string, string>>;
  /** Untrusted. Without `lang`. */
  query: Readonly<Record<string, unknown>>;
  /** Untrusted. */
  body: unknown;
  /** Under which the operator has opened the page. */
  origin: string;
  log: (fields: LogFields) => void;
};

export type OperatorPage = {
  status?: number;
  /** File name under views/merchant/operator, without its ending. */
  template: string;
  title: (t: OperatorTexts) => string;
  place: Place | null;
  isError?: boolean;
  data?: object;
};

export type OperatorAnswer =
  | { kind: 'page'; page: OperatorPage }
  /** After an action: a reload repeats nothing. */
  | { kind: 'redirect'; to: string; done: DoneKey }
  | { kind: 'csv'; name: string; lines: AsyncIterable<string> };

export type OperatorRoute = {
  method: 'get' | 'post';
  /** As express has it, under the server's root. */
  path: string;
  /** The page with the form of an action. It is shown again, with what was typed, where the action is refused. */
  page?: OperatorRoute['handle'];
  /** Where an error leads back to; absent: to the overview. */
  back?: (request: OperatorRequest) => string;
  /** What its address may carry. */
  filters?: readonly string[];
  /** @throws HttpError, ServiceError, DatabaseError: then a page says why, and what has become of it */
  handle(context: Context, request: OperatorRequest): Promise<OperatorAnswer>;
};

export const toPage = (page: OperatorPage): OperatorAnswer => ({ kind: 'page', page });

/** What every template gets beside the data of its page. */
export function pageData(
  { clock }: Pick<Context, 'clock'>,
  {
    by,
    place,
    done,
    failure,
  }: { by: string | null; place: Place | null; done: unknown; failure: Failure | null },
): object {
  const now = clock.now();
  return {
    by,
    place,
    done,
    failure,
    /** What was typed into the form that is posted to this path; null where it was not refused. */
    typedIn: (action: string) => (failure?.form?.action === action ? failure.form.typed : null),
    tones: TONES,
    formats: ({ lang }: PageTexts<OperatorTexts>): Formats => formatsIn(lang, now),
    contradictionText,
    inWords: (t: PageTexts<OperatorTexts>, name: ColumnName, value: string | number, kind?: string) =>
      inWords(t, formatsIn(t.lang, now), { name, value, kind }),
  };
}
