// The answers of a route in /openapi.json: its own, and its errors in their common format.

import { z } from 'zod';
import type { ErrorDefinition } from '../../platform/errors';
import type { Answer, RouteDescription } from '../../platform/http/route-description';

/** `errors`: those with this answer's status. */
export type DescribedAnswer = Answer & { errors?: readonly ErrorDefinition[] };

/** By HTTP status. */
export function allAnswers({ answers, errors }: RouteDescription): Map<number, DescribedAnswer> {
  const all = new Map<number, DescribedAnswer>(
    Object.entries(answers).map(([status, answer]) => [Number(status), answer]),
  );
  for (const [status, refusals] of byStatus(errors)) {
    const codes = refusals.map(({ code }) => code);
    const refusal = { description: codes.join(', '), schema: errorSchema(codes), errors: refusals };
    const own = all.get(status);
    all.set(status, own ? eitherOf(own, refusal) : refusal);
  }
  return all;
}

function byStatus(errors: readonly ErrorDefinition[]): Map<number, ErrorDefinition[]> {
  const found = new Map<number, ErrorDefinition[]>();
  for (const error of new Set(errors)) found.set(error.status, [...(found.get(error.status) ?? []), error]);
  return found;
}

const anyErrorSchema = z
  .strictObject({
    error: z.strictObject({
      code: z.string().meta({ description: 'For programs; stable.' }),
      message: z.string().meta({ description: 'For people; may change.' }),
      param: z.string().optional().meta({
        description: 'The field to correct, dotted; of several the first. Absent if it is no single field.',
      }),
      doc_url: z.string().optional().meta({ description: 'The page about this code.' }),
    }),
  })
  .meta({ id: 'Error', description: 'Why a request was refused or failed.' });

/** The common error format, with the codes of one answer. */
function errorSchema(codes: readonly string[]): z.ZodType {
  return anyErrorSchema.and(z.looseObject({ error: z.looseObject({ code: z.enum(codes) }) }));
}

function eitherOf(own: Answer, refusal: DescribedAnswer): DescribedAnswer {
  return {
    ...refusal,
    ...own,
    description: `${own.description} Or: ${refusal.description}`,
    schema: z.union([own.schema, refusal.schema]),
  };
}
