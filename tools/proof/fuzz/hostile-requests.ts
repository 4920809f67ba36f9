// Requests for every route of both programs, generated from a seed and a number, so that each can be repeated alone. None of them
// may change an order, a payment or a key: writing requests have an unknown field, or name no existing row.

import type { ServedRoute } from '../../../test/support/all-routes';
import { createRandom, hostileText, hostileValue, valueOf, type Random } from './hostile-values';

type Schema = Record<string, any>;
export type Openapi = {
  paths: Record<string, Record<string, any>>;
  components: { schemas: Record<string, Schema> };
};

export type Target = {
  name: 'merchant' | 'sandbox';
  routes: readonly ServedRoute[];
  /** The header of an authorised request. */
  authorization: string;
  openapi: Openapi | null;
  /** Existing ids, used only by requests that read. */
  known: readonly string[];
};
export type HostileRequest = {
  target: Target;
  /** For the report. */
  what: string;
  bytes: Buffer;
  isHead: boolean;
  /** The request is complete, so it must be answered. */
  isWhole: boolean;
};

/** Valid requests to these routes would change the answers to all others, so they only get bodies of a wrong type. */
const CONTROLS = /^\/(_sandbox\/(reset|clock|faults|settings)|console\/)/;
/** Fields of the service's operations, which have no published schema here. */
const SERVICE_FIELDS =
  'merchant_uid customer_uid svc_uid amount name currency card_number expiry birth pwd_2digit schedules schedule_at reason checksum page limit from to sorting schedule_from schedule_to schedule-status payment_status svc_key svc_secret api_key custom_data buyer_tel outcome status times source'.split(
    ' ',
  );
const FORM = 'application/x-www-form-urlencoded';

export function hostileRequest(seed: number, index: number, targets: readonly Target[]): HostileRequest {
  const random = createRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b));
  // Routes are used in turn, so that none is left out.
  const all = targets.flatMap((target) => target.routes.map((route) => ({ target, route })));
  const { target, route } = all[index % all.length] as (typeof all)[number];
  const isControl = CONTROLS.test(route.path) && route.method !== 'get';
  const built = wellFormed(random, target, route, isControl);
  const isRaw = random.chance(0.25) && !isControl;
  const raw = isRaw ? breakBytes(random, built.bytes) : null;
  return {
    target,
    what: `${target.name} ${route.method} ${route.path}${raw ? `, ${raw.how}` : ''}`,
    bytes: raw?.bytes ?? built.bytes,
    isHead: built.isHead && !raw,
    isWhole: raw === null,
  };
}

function wellFormed(random: Random, target: Target, route: ServedRoute, isControl: boolean) {
  const operation = target.openapi?.paths[route.path]?.[route.method];
  const reads = route.method === 'get';
  const method =
    !isControl && random.chance(0.04)
      ? random.pick(['HEAD', 'OPTIONS', 'PUT', 'TRACE', 'PATCH'])
      : route.method;
  const ids = ['fz-1', 'fz-2', ...(reads ? target.known : [])];
  const path = route.path.replace(/\{\w+\}/g, () => pathPart(random, ids));
  const headers = headersOf(random, target);
  const wire = [
    `${method.toUpperCase()} ${path}${queryOf(random, operation, reads, ids)} HTTP/1.1`,
    'Host: localhost',
  ];
  let body = Buffer.alloc(0);
  if (!reads) {
    const made = isControl
      ? { type: 'text/plain', body: Buffer.from('x') }
      : bodyOf(random, target, operation, route.path, ids);
    headers['Content-Type'] = made.type;
    headers['Content-Length'] = String(made.body.length);
    body = made.body;
  }
  for (const [name, value] of Object.entries(headers)) wire.push(`${name}: ${value}`);
  const head = Buffer.from(`${wire.join('\r\n')}\r\n\r\n`, 'latin1');
  return { bytes: Buffer.concat([head, body]), isHead: method === 'HEAD' };
}

function pathPart(random: Random, ids: readonly string[]): string {
  if (random.chance(0.5)) return random.pick(ids);
  const text = hostileText(random);
  // Raw, or encoded as by a browser. A line end or a space would make another request of it.
  return (random.chance(0.3) ? text.replace(/[^\x21-\x7e]|[?#]/g, '%ff') : encode(text)).slice(0, 2_000);
}

function encode(text: string): string {
  // A lone surrogate cannot be encoded.
  return encodeURIComponent(Buffer.from(text).toString());
}

function queryOf(random: Random, operation: any, reads: boolean, ids: readonly string[]): string {
  if (!random.chance(reads ? 0.7 : 0.15)) return '';
  const described = ((operation?.parameters ?? []) as { name: string; in: string; schema: Schema }[]).filter(
    (parameter) => parameter.in === 'query',
  );
  const names = described.length > 0 ? described.map(({ name }) => name) : SERVICE_FIELDS;
  const pairs = Array.from({ length: 1 + random.int(4) }, () => {
    const name = random.chance(0.9)
      ? random.pick(names) + random.pick(['', '', '', '[]', '[0]', '[__proto__]'])
      : hostileText(random);
    const value = random.chance(0.3)
      ? random.pick([...ids, '1', '20', '0', '-1', '1900000000', 'all', 'paid', '2026-01-01T00:00:00Z'])
      : hostileText(random);
    return `${encode(name)}=${encode(value)}`;
  });
  return `?${pairs.join('&')}`.slice(0, 6_000);
}

function headersOf(random: Random, { authorization }: Target): Record<string, string> {
  const printable = (text: string) => text.replace(/[^\x20-\x7e]/g, '?').slice(0, 1_000);
  const headers: Record<string, string> = {
    Authorization: random.chance(0.75) ? authorization : printable(`Bearer ${hostileText(random)}`),
  };
  if (random.chance(0.6))
    headers['X-Forwarded-For'] = random.chance(0.7) ? '52.78.100.19' : printable(hostileText(random));
  if (random.chance(0.1))
    headers[
      random.pick([
        'Cookie',
        'Origin',
        'Referer',
        'Accept-Language',
        'Accept',
        'Sec-Fetch-Site',
        'If-None-Match',
        'Range',
        'X-HTTP-Method-Override',
      ])
    ] = printable(hostileText(random));
  return headers;
}

function bodyOf(random: Random, target: Target, operation: any, path: string, ids: readonly string[]) {
  const schema = operation?.requestBody?.content?.['application/json']?.schema as Schema | undefined;
  const fields = schema
    ? valueOf(random, schema, target.openapi?.components.schemas ?? {})
    : Object.fromEntries(
        Array.from({ length: random.int(8) }, () => [
          random.pick(SERVICE_FIELDS),
          random.chance(0.3) ? random.pick([...ids, 1000, '1000', 'paid']) : hostileValue(random),
        ]),
      );
  const isObject = typeof fields === 'object' && fields !== null && !Array.isArray(fields);
  // Bodies of the API are strict: this field makes each of them invalid.
  const guarded =
    isObject && target.name === 'merchant' && path.startsWith('/api/') ? { ...fields, zz: 1 } : fields;
  if (random.chance(0.25) && isObject) {
    const pairs = Object.entries(guarded as object).map(
      ([name, value]) =>
        `${encode(name)}=${encode(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))}`,
    );
    return { type: random.pick([FORM, FORM, `${FORM}; charset=euc-kr`]), body: Buffer.from(pairs.join('&')) };
  }
  const text = JSON.stringify(guarded) ?? 'null';
  // Half of the broken bodies are truncated, the others contain bytes that are not text.
  const bytes = random.chance(0.9)
    ? Buffer.from(text)
    : random.chance(0.5)
      ? Buffer.from(text.slice(0, -1))
      : Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text)]);
  const types = [
    'application/json',
    'application/json',
    'application/json; charset=utf-16',
    'text/plain',
    'multipart/form-data',
    '',
  ];
  return { type: random.chance(0.9) ? 'application/json' : random.pick(types), body: bytes };
}

/** Turns a request into invalid HTTP or another request. */
function breakBytes(random: Random, bytes: Buffer): { how: string; bytes: Buffer } {
  const end = bytes.indexOf('\r\n');
  const line = bytes.subarray(0, end).toString('latin1');
  const rest = bytes.subarray(end);
  const headEnd = bytes.indexOf('\r\n\r\n');
  const withHeader = (header: string) =>
    Buffer.concat([
      bytes.subarray(0, headEnd),
      Buffer.from(`\r\n${header}`, 'latin1'),
      bytes.subarray(headEnd),
    ]);
  const withLine = (text: string) => Buffer.concat([Buffer.from(text, 'latin1'), rest]);
  const breaks: [string, () => Buffer][] = [
    ['flipped bytes', () => flip(random, bytes)],
    ['cut', () => bytes.subarray(0, random.int(bytes.length))],
    ['long header', () => withHeader(`X-Long: ${'a'.repeat(random.pick([7_000, 17_000, 70_000]))}`)],
    [
      'many headers',
      () => withHeader(Array.from({ length: random.pick([150, 2_500]) }, (_, n) => `X-${n}: 1`).join('\r\n')),
    ],
    [
      'odd header',
      () =>
        withHeader(
          random.pick([
            'X : 1',
            ' folded',
            'X\u0000: 1',
            ': 1',
            'X: \u0000',
            'Host: evil',
            'Expect: 100-continue',
            'Expect: x',
            'Connection: upgrade\r\nUpgrade: websocket',
            'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c',
          ]),
        ),
    ],
    [
      'two lengths',
      () =>
        withHeader(
          random.pick([
            'Content-Length: 1',
            'Content-Length: -1',
            'Content-Length: 1e3',
            'Content-Length: 99999999999999999999',
            'Transfer-Encoding: chunked',
            'Transfer-Encoding: chunked, identity',
            'Transfer-Encoding: xchunked',
          ]),
        ),
    ],
    [
      'odd chunks',
      () =>
        Buffer.from(
          `POST /webhooks/payments HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 52.78.100.19\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${random.pick(['zz\r\n{}', '-1\r\n{}\r\n', 'ffffffffffffffff\r\n{}', `1;${'a'.repeat(20_000)}\r\n{`, '2\r\n{}\r\n0\r\nX: 1\r\n\r\n', '2\r\n{}0\r\n\r\n'])}`,
        ),
    ],
    [
      'odd version',
      () =>
        withLine(
          line.replace(
            'HTTP/1.1',
            random.pick(['HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/9.9', 'http/1.1', '', 'HTTP/1.1 x']),
          ),
        ),
    ],
    [
      'odd method',
      () =>
        withLine(
          line.replace(
            /^\S+/,
            random.pick(['get', 'CONNECT', 'G\u0000T', 'A'.repeat(9_000), 'PROPFIND', 'M-SEARCH', '']),
          ),
        ),
    ],
    [
      'odd target',
      () =>
        withLine(
          line.replace(
            / \S+ /,
            ` ${random.pick(['*', 'http://evil.example/', '//', '/%', '/%E0%A4%A', '/\u00ff', '/..;/..', `/${'a'.repeat(30_000)}`, '/?%', '/api/%2e%2e/metrics', '/cards/%00/replace'])} `,
          ),
        ),
    ],
    [
      'another protocol',
      () =>
        random.pick([
          Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
          Buffer.from('16030100c8010000c40303', 'hex'),
          Buffer.from('SSH-2.0-x\r\n'),
          Buffer.from('\r\n\r\n\r\n'),
          Buffer.from('\n'),
        ]),
    ],
    [
      'several at once',
      () => Buffer.from('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1 + random.int(40))),
    ],
    ['line feeds only', () => Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')],
    ['random bytes', () => Buffer.from(Array.from({ length: 1 + random.int(300) }, () => random.int(256)))],
  ];
  const [how, make] = random.pick(breaks);
  return { how, bytes: make() };
}

function flip(random: Random, bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  for (let left = 1 + random.int(5); left > 0; left -= 1) copy[random.int(copy.length)] = random.int(256);
  return copy;
}
