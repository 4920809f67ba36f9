// What /openapi.json says about a route: the schemas that it parses with, every answer that it gives, every error code.

import { z } from 'zod';
import { ERRORS, type ApiErrorCode } from '../error-codes';

export type Answer = { description: string; schema: z.ZodType; contentType?: string };

export type RouteDescription = {
  method: 'get' | 'post';
  /** As under the server's root, such as "/api/orders/{merchant_uid}". */
  path: string;
  summary: string;
  /** Whether it needs the API key. */
  access: 'key' | 'open';
  query?: z.ZodObject;
  body?: { schema: z.ZodType; contentTypes: readonly string[] };
  /** By HTTP status. */
  answers: Readonly<Record<number, Answer>>;
  errors: readonly ApiErrorCode[];
};

export const jsonBody = (schema: z.ZodType) => ({ schema, contentTypes: ['application/json'] });

/** Everything that a route may answer, by HTTP status: its own answers, and its error codes in their one shape. */
export function allAnswers({ answers, errors }: RouteDescription): Map<number, Answer> {
  const all = new Map(Object.entries(answers).map(([status, answer]) => [Number(status), answer]));
  for (const [status, codes] of codesByStatus(errors)) {
    const refusal = { description: codes.join(', '), schema: errorSchema(codes) };
    const own = all.get(status);
    all.set(status, own ? eitherOf(own, refusal) : refusal);
  }
  return all;
}

function codesByStatus(codes: readonly ApiErrorCode[]): Map<number, [ApiErrorCode, ...ApiErrorCode[]]> {
  const byStatus = new Map<number, [ApiErrorCode, ...ApiErrorCode[]]>();
  for (const code of new Set(codes)) {
    const { status } = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}

function errorSchema(codes: readonly [ApiErrorCode, ...ApiErrorCode[]]): z.ZodType {
  return z.strictObject({ error: z.strictObject({ code: z.enum(codes), message: z.string() }) });
}

function eitherOf(own: Answer, refusal: Answer): Answer {
  return {
    ...own,
    description: `${own.description} Or: ${refusal.description}`,
    schema: z.union([own.schema, refusal.schema]),
  };
}
