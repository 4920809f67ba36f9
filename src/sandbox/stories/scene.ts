// HTTP calls to the sandbox's controls and to a merchant's API, each recorded as an equivalent curl line. Stories and the
// buttons of the console use only these calls, so a program can do the same.

const CALL_TIMEOUT_MS = 40_000;

/** The addresses of both programs. */
export type Places = { sandboxUrl: string; merchant: MerchantPlace | null };
export type MerchantPlace = { url: string; apiKey: string };

export type Call = {
  to: 'sandbox' | 'merchant';
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  body?: object;
};
export type CallAnswer = { status: number; body: unknown };
export type DoneCall = { curl: string; status: number; answer: string };

export type Scene = ReturnType<typeof createScene>;

const MAX_SHOWN_ANSWER = 600;

export function createScene(places: Places) {
  const done: DoneCall[] = [];
  return {
    places,
    done,
    /** Makes a call and records it. Answers with an error status are returned as well. */
    async call(call: Call): Promise<CallAnswer> {
      const answer = await send(places, call);
      const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
      done.push({ curl: curlOf(places, call), status: answer.status, answer: shortened(text) });
      return answer;
    },
    /** Makes a call without recording it, for example to poll. */
    ask: (call: Call) => send(places, call),
  };
}

/** Throws if the program does not answer or no merchant is known. */
async function send(places: Places, { to, method, path, body }: Call): Promise<CallAnswer> {
  const { merchant } = places;
  if (to === 'merchant' && !merchant) throw new Error('no merchant is known');
  const response = await fetch(`${baseOf(places, to)}${path}`, {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(to === 'merchant' && { authorization: `Bearer ${merchant?.apiKey}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
    // A redirect must not send the key to another host.
    redirect: 'manual',
    signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
  });
  const text = await response.text();
  return { status: response.status, body: parse(text) };
}

/** The call as a curl line. The merchant's key appears as `$API_KEY`. */
export function curlOf(places: Places, { to, method, path, body }: Call): string {
  const parts = [
    'curl',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    quoted(`${baseOf(places, to)}${path}`),
    ...(to === 'merchant' ? ['-H "Authorization: Bearer $API_KEY"'] : []),
    ...(body ? [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body))}`] : []),
  ];
  return parts.join(' ');
}

/** Quotes any text as one word for a shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function baseOf({ sandboxUrl, merchant }: Places, to: Call['to']): string {
  return to === 'sandbox' ? sandboxUrl : (merchant?.url ?? 'http://localhost:3000');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const shortened = (text: string) =>
  text.length <= MAX_SHOWN_ANSWER ? text : `${text.slice(0, MAX_SHOWN_ANSWER)} …`;

/** The value at this path of an answer; '' if it is not text or a number. */
export function valueIn(body: unknown, ...names: (string | number)[]): string {
  const value = names.reduce<unknown>(
    (each, name) =>
      typeof each === 'object' && each !== null ? (each as Record<string, unknown>)[name] : null,
    body,
  );
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
