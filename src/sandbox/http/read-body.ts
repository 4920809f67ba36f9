// Reads bodies of at most 100 kB as JSON or as a form (§4). A body that cannot be read is a 400 that repeats nothing
// of it.

import express, { type Request, type Response } from 'express';
import { HttpError } from './answer';
import { parseBracketNames } from './parse-bracket-names';

const LIMIT = '100kb';
const FORM = 'application/x-www-form-urlencoded';
const json = express.json({ limit: LIMIT });
const form = express.text({ type: FORM, limit: LIMIT });

export async function readBody(request: Request, response: Response): Promise<Record<string, unknown>> {
  const isForm = request.is(FORM) !== false && request.is(FORM) !== null;
  await new Promise<void>((resolve, reject) => {
    (isForm ? form : json)(request, response, (error?: unknown) =>
      error ? reject(unreadable(error)) : resolve(),
    );
  });
  const body: unknown = request.body;
  if (isForm) return parseBracketNames(typeof body === 'string' ? body : '');
  if (body === undefined) return {};
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new HttpError(400, 'body: must be a JSON object');
  return body as Record<string, unknown>;
}

function unreadable(error: unknown): HttpError {
  const type = typeof error === 'object' && error !== null && 'type' in error ? error.type : undefined;
  if (type === 'entity.too.large') return new HttpError(400, `body: larger than ${LIMIT}`);
  return new HttpError(400, 'body: cannot be read as the content type says');
}
