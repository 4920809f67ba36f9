// What every kind of attempt adds to the program: its job, its list and its decision in the JSON API, and its items in the
// operators' action queue.

import type { ActionQueue, Job } from '../../platform/context';
import { HttpError } from '../../platform/errors';
import { apiRoute, type ApiRoute } from '../../platform/http/api-route';
import { listRoute } from '../../platform/http/list';
import type { AttemptKind } from './attempt-kind';
import type { PolledAttempt } from './attempt-store';
import { decide } from './decide-attempt';
import { DECISION_ERRORS, decisionError } from './decision';
import { findStuck, recoveryJob } from './recover-attempt';

/** @throws HttpError for a text that cannot be an id */
export function knownId({ isId, notFound }: Pick<AttemptKind, 'isId' | 'notFound'>, text = ''): string {
  if (!isId(text)) throw new HttpError(notFound);
  return text;
}

/** `GET /api/…` and `POST /api/…/{id}/settle`. */
export function attemptRoutes<Attempt extends PolledAttempt, Outcome extends string>(
  kind: AttemptKind<Attempt, Outcome>,
): ApiRoute[] {
  const { name, list, listSummary, stored, decision, notFound, scheduled } = kind;
  const { schema, example } = stored;
  return [
    listRoute(list, {
      path: `/api/${name}s`,
      summary: listSummary,
      id: LIST_IDS[name],
      item: schema,
      example,
    }),
    apiRoute({
      method: 'post',
      path: `/api/${name}s/{id}/settle`,
      scope: decision.scope,
      summary: decision.summary,
      body: decision.schema,
      example: decision.example,
      answers: { 200: { description: 'The decision is recorded.', schema, example } },
      errors: [notFound, ...(scheduled ? [scheduled] : []), ...DECISION_ERRORS],
      asksService: true,
      async handle(context, { params, body, sent, log }) {
        const id = knownId(kind, params.id);
        log({ [`${name}_id`]: id });
        const outcome = await decide(context, kind, id, { ...body, sent });
        log({ outcome: outcome.kind });
        if (outcome.kind !== 'settled') throw decisionError(outcome, notFound, scheduled);
        const decided = await kind.find(context, id);
        if (!decided) throw new HttpError(notFound);
        return { body: stored.json(decided) };
      },
    }),
  ];
}

const LIST_IDS = { issuance: 'IssuanceList', charge: 'ChargeList', refund: 'RefundList' };

/** The parts of a feature. */
export function attemptParts<Attempt extends PolledAttempt, Outcome extends string>(
  kind: AttemptKind<Attempt, Outcome>,
): { jobs: Job[]; actionQueue: ActionQueue } {
  const { name, list, stored } = kind;
  return {
    jobs: [recoveryJob(kind)],
    actionQueue: {
      kind: `${name}s`,
      subject: name,
      async findWaiting(context, limit) {
        const page = await list.read(context, { needs_person: true, limit });
        return [{ items: page.list, hasMore: page.next !== null, filters: { needs_person: 'true' } }];
      },
      findStuck: async (context) => (await findStuck(context, kind)).map((attempt) => stored.json(attempt)),
    },
  };
}
