// Reads request bodies: JSON or form for the service (§4), JSON for the controls, form for the console. A body that cannot
// be read is a 4xx that does not repeat it.

import express, { type Request, type RequestHandler, type Response } from 'express';
import { HttpError } from './answer';
import { parseBracketNames } from './parse-bracket-names';

const FORMATS = { json: 'application/json', form: 'application/x-www-form-urlencoded' } as const;
type Format = keyof typeof FORMATS;
type Reader = (request: Request, response: Response) => Promise<unknown>;

const SERVICE_LIMIT = '100kb';
const MAX_FORM_FIELDS = 1000;
// A deeper body could not be serialised as JSON again.
const MAX_DEPTH = 50;

const serviceReaders = {
  json: readerOf('json', SERVICE_LIMIT),
  form: readerOf('form', SERVICE_LIMIT),
};

/** Returns the fields of a request to the service. Throws a 400 if the body cannot be read. */
export async function readBody(request: Request, response: Response): Promise<Record<string, unknown>> {
  const format = isOf('form', request) ? 'form' : 'json';
  const body = await serviceReaders[format](request, response).catch((error: unknown) => {
    throw error instanceof HttpError ? new HttpError(400, error.message) : error;
  });
  if (body === undefined) return {};
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new HttpError(400, 'body: must be a JSON object');
  return body as Record<string, unknown>;
}

/**
 * Reads UTF-8 bodies of one format into `request.body`, which is undefined if there is none. A body of another format,
 * in another charset or compressed is a 415, and one above the limit a 413.
 */
export function bodyReader(format: Format, limit: string): RequestHandler {
  const read = readerOf(format, limit);
  return async (request, response, next) => {
    request.body = undefined;
    if (hasBody(request)) {
      if (!isOf(format, request)) throw new HttpError(415, `content-type: must be ${FORMATS[format]}`);
      const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(request.headers['content-type'] ?? '')?.[1];
      if (charset !== undefined && !/^utf-?8$/i.test(charset))
        throw new HttpError(415, 'content-type: the charset must be utf-8');
      request.body = await read(request, response);
    }
    next();
  };
}

/** `limit` is counted in bytes. Compressed bodies are not read. */
function readerOf(format: Format, limit: string): Reader {
  const type = FORMATS[format];
  const parser =
    format === 'json'
      ? express.json({ type, limit, inflate: false })
      : express.text({ type, limit, inflate: false });
  return async (request, response) => {
    await new Promise<void>((resolve, reject) => {
      parser(request, response, (error?: unknown) => (error ? reject(unreadable(error, limit)) : resolve()));
    });
    const body: unknown = request.body;
    if (format === 'form') return parseForm(typeof body === 'string' ? body : '');
    if (isTooDeep(body)) throw new HttpError(400, `body: nested more than ${MAX_DEPTH} times`);
    return body;
  };
}

function parseForm(text: string) {
  if (text.split('&').length > MAX_FORM_FIELDS)
    throw new HttpError(413, `body: more than ${MAX_FORM_FIELDS} fields`);
  return parseBracketNames(text);
}

function isTooDeep(body: unknown): boolean {
  let level = [body];
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth += 1)
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? (Object.values(value) as unknown[]) : [],
    );
  return level.length > 0;
}

function isOf(format: Format, request: Request): boolean {
  return typeof request.is(FORMATS[format]) === 'string';
}

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function unreadable(error: unknown, limit: string): HttpError {
  const type = typeof error === 'object' && error !== null && 'type' in error ? error.type : undefined;
  switch (type) {
    case 'entity.too.large':
      return new HttpError(413, `body: larger than ${limit}`);
    case 'charset.unsupported':
      return new HttpError(415, 'content-type: the charset is unknown');
    case 'encoding.unsupported':
      return new HttpError(415, 'content-encoding: compressed bodies are not read');
    default:
      return new HttpError(400, 'body: cannot be read as the content type says');
  }
}
