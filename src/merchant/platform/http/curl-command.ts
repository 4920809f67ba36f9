// A request as a command that the reader of a page can copy.

/** An operation as it is called with the values of its examples. */
export type ExampleRequest = {
  method: string;
  /** With a query where one is required. */
  path: string;
  needsKey: boolean;
  /** JSON, or null for none. */
  body: string | null;
};

/** The request for a POSIX shell, whose variable API_KEY holds the key. */
export function curlCommand({ method, path, needsKey, body }: ExampleRequest, origin: string): string {
  return [
    // curl makes it a POST by itself where there is a body.
    `curl ${method === 'GET' || body !== null ? '' : `-X ${method} `}${quoted(origin + path)}`,
    ...(needsKey ? ['-H "Authorization: Bearer $API_KEY"'] : []),
    ...(body === null ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(body)}`]),
  ].join(' \\\n  ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
