// Sends notifications in a closed loop: each connection sends the next notification when the last one was answered.

import { Agent, request } from 'node:http';

export type Notice = { svc_uid: string; merchant_uid: string };
export type Load = { perSecond: number; p50: number; p99: number; longest: number };

/** @throws if an answer is not 200 */
export async function send(
  notices: readonly Notice[],
  ports: readonly number[],
  connections: number,
): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const times: number[] = [];
  const started = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: connections }, async (_, connection) => {
      const port = ports[connection % ports.length] ?? 0;
      for (let notice = notices[next++]; notice; notice = notices[next++]) {
        const from = performance.now();
        await post(agent, `http://127.0.0.1:${port}/webhooks/payments`, { ...notice, status: 'paid' });
        times.push(performance.now() - from);
      }
    }),
  );
  const seconds = (performance.now() - started) / 1_000;
  agent.destroy();
  times.sort((one, other) => one - other);
  const at = (part: number) => times[Math.floor((times.length - 1) * part)] ?? 0;
  return { perSecond: notices.length / seconds, p50: at(0.5), p99: at(0.99), longest: at(1) };
}

/** Sends from an address of §6.3, in the header of a reverse proxy on this machine. */
export function post(agent: Agent, url: string, content: object): Promise<string> {
  const body = JSON.stringify(content);
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-forwarded-for': '52.78.100.19',
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', agent, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      answer.on('error', reject).on('end', () => {
        if (answer.statusCode === 200) resolve(text);
        else reject(new Error(`answered ${answer.statusCode}: ${text}`));
      });
    });
    outgoing.on('error', reject).end(body);
  });
}

export function median(numbers: readonly number[]): number {
  return [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;
}
