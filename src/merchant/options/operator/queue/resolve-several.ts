// Resolves several discrepancies of one kind at once, for example after a flood of invented notifications. Each one
// follows the rules of a single one and is recorded separately; a refused one stays open and is listed with the reason.

import { z } from 'zod';
import type { DiscrepancyKind } from '../../../../generated/prisma/client';
import { isRowId } from '../../../core/attempts/attempt-schema';
import { decisionError } from '../../../core/attempts/decision';
import { decideDiscrepancy, type Resolution } from '../../../core/discrepancies/decide-discrepancy';
import { discrepancyErrors } from '../../../core/discrepancies/errors';
import { discrepancyKinds } from '../../../core/discrepancies/kinds';
import { discrepancyList, resolveSchema } from '../../../core/discrepancies/routes';
import { OUTAGE_KINDS, ServiceError } from '../../../payment-service/records/service-error';
import type { Context } from '../../../platform/context';
import { HttpError } from '../../../platform/errors';
import { parseRequest, strictBody } from '../../../platform/http/body-fields';
import { platformErrors } from '../../../platform/platform-errors';
import { toRefusal, type Refusal } from '../frame/failure';
import { toPage, type OperatorAnswer, type OperatorRequest, type OperatorRoute } from '../frame/page';
import { toCells } from '../lists/list-page';
import { discrepancyColumns } from '../lists/pages';

export const QUEUE = '/operator/desk';
/** The number of form fields is limited (`http/page-request.ts`). */
const SHOWN = 100;

/** The page that resolves several of a kind. */
export const severalOf = (kind: string) => `${QUEUE}/kinds/${kind}`;

export const SEVERAL_ROUTES: OperatorRoute[] = [
  {
    method: 'get',
    path: `${QUEUE}/kinds/:kind`,
    back: () => QUEUE,
    handle: (context, request) => showSeveral(context, kindOf(request), null),
  },
  {
    method: 'post',
    path: `${QUEUE}/kinds/:kind/resolve`,
    role: 'decide',
    action: 'resolve',
    back: () => QUEUE,
    page: (context, request) => showSeveral(context, kindOf(request), null),
    handle: resolveSeveral,
  },
];

/** `refused`: why each of them stays open. */
type Result = { resolved: number; refused: ({ id: string } & Refusal)[] };

const severalSchema = strictBody({
  ...resolveSchema.shape,
  which: z.enum(['selected', 'shown']),
  /** The checked boxes: a browser sends nothing if none is checked. */
  id: z.union([z.string(), z.array(z.string())]).default([]),
  /** All that the page showed, without those that came later. */
  shown: z.string(),
})
  .transform(({ which, id, shown, ...resolution }) => {
    const ids = which === 'shown' ? shown.split(' ') : [id].flat();
    return { ids: [...new Set(ids)], resolution };
  })
  .refine(({ ids }) => ids.length > 0 && ids.length <= SHOWN && ids.every(isRowId), {
    path: ['id'],
    error: `must name from 1 to ${SHOWN} discrepancies`,
  });

async function resolveSeveral(context: Context, request: OperatorRequest): Promise<OperatorAnswer> {
  const { by, body, sent, log } = request;
  const kind = kindOf(request);
  const { ids, resolution } = parseRequest(severalSchema, { ...(body as object), by });
  const refused: Result['refused'] = [];
  let outage: ServiceError | null = null;
  for (const id of ids) {
    // After an outage of the service, do not call it again for each of the others.
    const error: HttpError | ServiceError | null =
      outage ?? (await resolveOne(context, id, { ...resolution, sent }));
    if (error === null) continue;
    refused.push({ id, ...toRefusal(error) });
    if (error instanceof ServiceError && OUTAGE_KINDS.has(error.facts.kind)) outage = error;
  }
  log({ decision: resolution.resolution, discrepancies: ids.length, refused: refused.length });
  if (refused.length === 0) return { kind: 'redirect', to: severalOf(kind), done: 'settled' };
  return showSeveral(context, kind, { resolved: ids.length - refused.length, refused });
}

/** Returns why it stays open; null if it is resolved. @throws DatabaseError if that is unknown */
async function resolveOne(
  context: Context,
  id: string,
  resolution: Resolution,
): Promise<HttpError | ServiceError | null> {
  try {
    const outcome = await decideDiscrepancy(context, { id: BigInt(id), ...resolution });
    return outcome.kind === 'settled'
      ? null
      : decisionError(outcome, discrepancyErrors.discrepancy_not_found);
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

const COLUMNS = discrepancyColumns('id', 'svc_uid', 'merchant_uid', 'expected', 'actual', 'last_seen_at');

/** @param result of the post; null if nothing was posted */
async function showSeveral(
  context: Context,
  kind: DiscrepancyKind,
  result: Result | null,
): Promise<OperatorAnswer> {
  const { list } = await discrepancyList.read(context, { open: true, kind, limit: SHOWN });
  return toPage({
    status: result === null ? 200 : 409,
    template: 'several',
    title: ({ operator }) => `${operator.actionQueue.names.discrepancies}: ${operator.statuses[kind]}`,
    place: 'actionQueue',
    isError: result !== null,
    data: {
      kind,
      list,
      columns: COLUMNS,
      rows: list.map((row) => toCells(COLUMNS, row)),
      result,
      action: `${severalOf(kind)}/resolve`,
    },
  });
}

function kindOf({ params }: OperatorRequest): DiscrepancyKind {
  const kind = discrepancyKinds.find((each) => each === params['kind']);
  if (kind === undefined) throw new HttpError(platformErrors.not_found);
  return kind;
}
