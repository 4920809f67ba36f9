// The requests that our pages show: a line of `curl`, or of the functions `api` and `sandbox` that a page defines.

import type { ShellCommand } from './shell-commands';

export type DocumentedRequest = {
  to: 'merchant' | 'sandbox';
  method: string;
  /** With its query, and with `$NAME` for a variable of the page. */
  path: string;
  /** Unchanged; null if there is none. */
  body: string | null;
  sendsKey: boolean;
  contentType: string | null;
  /** All others, by their names in lower case. */
  headers: Record<string, string>;
};

const BASES: [prefix: RegExp, to: DocumentedRequest['to']][] = [
  [/^\$MERCHANT(?=\/)/, 'merchant'],
  [/^(?:http:\/\/)?localhost:3000(?=\/)/, 'merchant'],
  [/^(?:http:\/\/)?localhost:4010(?=\/)/, 'sandbox'],
];
/** The prefix of the address with which a function is called. Both send JSON, and `api` sends the key. */
const FUNCTIONS: Record<string, string> = { api: '$MERCHANT', sandbox: 'localhost:4010/_sandbox' };
const WITH_VALUE = ['-X', '-H', '-d'];
const KNOWN_FLAGS = ['-sS', '-s', '-i', '--globoff', '--fail-with-body'];

/** Null if the command sends none. @throws Error for an unknown flag or address */
export function documentedRequest({ words }: ShellCommand): DocumentedRequest | null {
  const [program, ...args] = words;
  const base = FUNCTIONS[program ?? ''];
  if (program !== 'curl' && base === undefined) return null;
  const values: Record<string, string[]> = { '-X': [], '-H': [], '-d': [] };
  const rest: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index] ?? '';
    if (WITH_VALUE.includes(word)) values[word]?.push(args[(index += 1)] ?? '');
    else if (!KNOWN_FLAGS.includes(word)) rest.push(word);
  }
  const [address = '', ...more] = rest;
  if (more.length > 0) throw new Error(`curl is called with ${more.join(' ')}`);
  const url = `${base ?? ''}${address}`;
  const [prefix, to] = BASES.find(([each]) => each.test(url)) ?? [];
  if (!prefix || !to) throw new Error(`the address is neither the merchant nor the sandbox: ${address}`);
  const headers = new Map(
    (values['-H'] ?? []).map((header) => {
      const [name = '', value = ''] = header.split(/: (.*)/);
      return [name.toLowerCase(), value];
    }),
  );
  const body = values['-d']?.[0] ?? null;
  const { authorization = '', 'content-type': contentType, ...others } = Object.fromEntries(headers);
  return {
    to,
    method: values['-X']?.[0] ?? (body === null ? 'GET' : 'POST'),
    path: url.replace(prefix, ''),
    body,
    sendsKey: program === 'api' || /^Bearer \$\w+$/.test(authorization),
    contentType: base === undefined ? (contentType ?? null) : 'application/json',
    headers: others,
  };
}

/** With its variables replaced as by the shell. @throws Error for a missing one */
export function filledIn(text: string, variables: Record<string, string>): string {
  return text.replace(/(\\?)\$([A-Za-z_]+)/g, (_, kept: string, name: string) => {
    if (kept !== '') return `$${name}`;
    const value = variables[name];
    if (value === undefined) throw new Error(`the page does not say what $${name} is`);
    return value;
  });
}
