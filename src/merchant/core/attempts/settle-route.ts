// `POST /api/…/{id}/settle`: a person resolves an issuance, a charge or a refund whose outcome is unknown.

import type { z } from 'zod';
import type { Context, Scope } from '../../platform/context';
import { HttpError, type ErrorDefinition } from '../../platform/errors';
import { apiRoute, type ApiRoute } from '../../platform/http/api-route';
import type { SentFrom } from '../../platform/http/log-fields';
import type { AttemptKind } from './attempt-store';
import { DECISION_ERRORS, decisionError, type DecisionOutcome } from './decision';

type Definition<Body extends z.ZodType<object>, Stored extends z.ZodType, Row> = {
  kind: AttemptKind;
  scope: Scope;
  summary: string;
  decision: Body;
  example: z.input<NoInfer<Body>>;
  stored: Stored;
  storedExample: z.input<NoInfer<Stored>>;
  notFound: ErrorDefinition;
  otherErrors?: readonly ErrorDefinition[];
  isId(id: string): boolean;
  /** @throws HttpError with one of `otherErrors` */
  decide(
    context: Context,
    id: string,
    decision: z.output<Body> & { sent: SentFrom },
  ): Promise<DecisionOutcome>;
  find(context: Context, id: string): Promise<Row | null>;
  json(row: NoInfer<Row>): z.output<Stored>;
};

export function settleRoute<Body extends z.ZodType<object>, Stored extends z.ZodType, Row>(
  attempt: Definition<Body, Stored, Row>,
): ApiRoute {
  const { kind, notFound, otherErrors = [], stored, storedExample } = attempt;
  return apiRoute({
    method: 'post',
    path: `/api/${kind}s/{id}/settle`,
    scope: attempt.scope,
    summary: attempt.summary,
    body: attempt.decision,
    example: attempt.example,
    answers: { 200: { description: 'The decision is recorded.', schema: stored, example: storedExample } },
    errors: [notFound, ...otherErrors, ...DECISION_ERRORS],
    asksService: true,
    async handle(context, { params: { id }, body, sent, log }) {
      if (!attempt.isId(id)) throw new HttpError(notFound);
      log({ [`${kind}_id`]: id });
      const outcome = await attempt.decide(context, id, { ...body, sent });
      log({ outcome: outcome.kind });
      if (outcome.kind !== 'settled') throw decisionError(outcome, notFound);
      const row = await attempt.find(context, id);
      if (!row) throw new HttpError(notFound);
      return { body: attempt.json(row) };
    },
  });
}
