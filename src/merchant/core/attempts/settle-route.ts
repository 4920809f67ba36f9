// `POST /api/…/{id}/settle`: a person resolves an issuance, a charge or a refund whose outcome is unknown.

import type { z } from 'zod';
import type { Context, Scope } from '../../platform/context';
import { HttpError, type ErrorDefinition } from '../../platform/errors';
import { apiRoute, type ApiRoute } from '../../platform/http/api-route';
import { DECISION_ERRORS, decisionError, type DecisionOutcome } from './decision';

type Definition<Body extends z.ZodType, Stored extends z.ZodType, Row> = {
  /** For example `refunds`. */
  list: string;
  scope: Scope;
  summary: string;
  decision: Body;
  example: z.input<NoInfer<Body>>;
  stored: Stored;
  storedExample: z.input<NoInfer<Stored>>;
  notFound: ErrorDefinition;
  otherErrors?: readonly ErrorDefinition[];
  /** Name of the id in the log. */
  logName: string;
  isId(id: string): boolean;
  /** @throws HttpError with one of `otherErrors` */
  decide(context: Context, id: string, decision: z.output<Body>): Promise<DecisionOutcome>;
  find(context: Context, id: string): Promise<Row | null>;
  json(row: NoInfer<Row>): z.output<Stored>;
};

export function settleRoute<Body extends z.ZodType, Stored extends z.ZodType, Row>({
  list,
  scope,
  summary,
  decision,
  example,
  stored,
  storedExample,
  notFound,
  otherErrors = [],
  logName,
  isId,
  decide,
  find,
  json,
}: Definition<Body, Stored, Row>): ApiRoute {
  return apiRoute({
    method: 'post',
    path: `/api/${list}/{id}/settle`,
    scope,
    summary,
    body: decision,
    example,
    answers: { 200: { description: 'The decision is recorded.', schema: stored, example: storedExample } },
    errors: [notFound, ...otherErrors, ...DECISION_ERRORS],
    asksService: true,
    async handle(context, { params: { id }, body, log }) {
      if (!isId(id)) throw new HttpError(notFound);
      log({ [logName]: id });
      const outcome = await decide(context, id, body);
      log({ outcome: outcome.kind });
      if (outcome.kind !== 'settled') throw decisionError(outcome, notFound);
      const row = await find(context, id);
      if (!row) throw new HttpError(notFound);
      return { body: json(row) };
    },
  });
}
