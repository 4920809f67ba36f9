// Calls to the controls of the sandbox and to the API of a merchant, over HTTP only, each kept as the curl line that does
// the same. Stories and the presses of the console are made of them: neither can do what a program cannot.

const CALL_TIMEOUT_MS = 40_000;

/** Where both programs are. Without a merchant its calls cannot be made. */
export type Places = { sandboxUrl: string; merchant: MerchantPlace | null };
export type MerchantPlace = { url: string; apiKey: string };

export type Call = {
  to: 'sandbox' | 'merchant';
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
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
    /** Makes a call and keeps it. An answer of any status is returned. */
    async call(call: Call): Promise<CallAnswer> {
      const answer = await send(places, call);
      const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
      done.push({ curl: curlOf(places, call), status: answer.status, answer: shortened(text) });
      return answer;
    },
    /** A call that nobody needs to see, such as asking again and again. */
    ask: (call: Call) => send(places, call),
  };
}

/** Throws where the program does not answer, or there is no merchant. */
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
    // The key must not follow to another place.
    redirect: 'manual',
    signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
  });
  const text = await response.text();
  return { status: response.status, body: parse(text) };
}

/** The line for a shell. The key of the merchant is `$API_KEY` in it. */
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

/** As one word of a shell, whatever it holds. */
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

/** A value inside an answer, by the names on the way to it; '' where there is none. */
export function valueIn(body: unknown, ...names: (string | number)[]): string {
  const value = names.reduce<unknown>(
    (each, name) =>
      typeof each === 'object' && each !== null ? (each as Record<string, unknown>)[name] : null,
    body,
  );
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
