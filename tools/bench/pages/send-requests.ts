// Sends any requests in a closed loop: each connection sends the next request when the last one was answered.

import { Agent, request } from 'node:http';
import { cpuMs } from '../cpu';

export type Program = { pid: number; port: number };
export type Sent = { method: 'GET' | 'POST'; path: string; headers: Record<string, string>; body?: string };
export type Answered = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
};
/** `cpu`: milliseconds of the program per request. The others: milliseconds measured by the sender. */
export type Figures = { cpu: number; p50: number; p95: number; p99: number };

/** @throws if an answer has another status */
export async function measure(
  { pid, port }: Program,
  requests: readonly Sent[],
  connections: number,
  status = 200,
): Promise<Figures> {
  const times: number[] = [];
  const before = cpuMs(pid);
  await sendAll(port, requests, connections, (answer, ms) => {
    if (answer.status !== status) throw new Error(`answered ${answer.status}: ${answer.text.slice(0, 300)}`);
    times.push(ms);
  });
  const cpu = (cpuMs(pid) - before) / requests.length;
  times.sort((one, other) => one - other);
  const at = (part: number) => times[Math.floor((times.length - 1) * part)] ?? 0;
  return { cpu, p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

export async function sendAll(
  port: number,
  requests: readonly Sent[],
  connections: number,
  onAnswer: (answer: Answered, ms: number, index: number) => void,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let next = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (let index = next++; index < requests.length; index = next++) {
        const from = performance.now();
        const answer = await send(agent, port, requests[index] as Sent);
        onAnswer(answer, performance.now() - from, index);
      }
    }),
  );
  agent.destroy();
}

function send(agent: Agent, port: number, { method, path, headers, body }: Sent): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, agent, method, path, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      answer.on('error', reject).on('end', () => {
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
      });
    });
    outgoing.on('error', reject).end(body);
  });
}
