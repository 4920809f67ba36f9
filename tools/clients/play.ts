// Runs all operations with one client against a sandbox, which it resets first, and checks the results.

import { OPERATIONS, type Facts, type Operation } from './operations';
import type { Calls, Client } from './published-client';

/** The result of one operation. `isWrong`: it should have succeeded, or should have been refused. */
export type Played = { operation: string; came: string; isWrong: boolean };

type Answer = { resolved: unknown } | { rejected: unknown };

/** @param clients one with the right secret, one with a wrong secret */
export async function play(
  url: string,
  clients: { known: Client; stranger: Client },
  settings?: object,
): Promise<Played[]> {
  const facts = await prepareSandbox(url, settings);
  const played: Played[] = [];
  for (const operation of OPERATIONS) {
    const client = operation.wrongSecret ? clients.stranger : clients.known;
    const judged = client.calls[operation.call]
      ? await playOne(url, client, operation, facts)
      : { came: 'the client has no such call', isWrong: false };
    played.push({ operation: operation.name, ...judged });
  }
  return played;
}

async function playOne(
  url: string,
  client: Client,
  { run, expected }: Operation,
  facts: Facts,
): Promise<Omit<Played, 'operation'>> {
  const before = await unknownCalls(url);
  const answer: Answer = await run(client.calls as Calls, facts).then(
    (resolved) => ({ resolved }),
    (rejected: unknown) => ({ rejected }),
  );
  if ((await unknownCalls(url)) > before)
    return { came: 'the sandbox has no such endpoint', isWrong: expected !== 'no endpoint' };
  const record = 'resolved' in answer ? recordOf(client, answer.resolved) : null;
  if (typeof expected === 'object' && has(record, expected)) return { came: 'ok', isWrong: false };
  return { came: reportOf(client, answer, record), isWrong: expected !== 'refusal' || !isRefusal(record) };
}

/** A refusal rejects, or resolves without a record, or to a payment that failed (§4.3). */
const isRefusal = (record: unknown) =>
  record === null || record === undefined || (record as { status?: unknown }).status === 'failed';

function reportOf(client: Client, answer: Answer, record: unknown): string {
  if ('rejected' in answer) return `rejects: ${client.refusalOf(answer.rejected)}`;
  if (record === null || record === undefined) return `resolves: ${client.refusalOf(answer.resolved)}`;
  const { status, fail_reason: reason } = record as { status?: string; fail_reason?: string };
  return status === 'failed' ? `resolves: status failed, ${reason}` : 'resolves to another record';
}

/** Null if the resolved value has no envelope. */
function recordOf(client: Client, resolved: unknown): unknown {
  try {
    return client.recordOf(resolved);
  } catch {
    return null;
  }
}

/** Whether a record has all expected values. Lists must have the same length. */
function has(actual: unknown, expected: unknown): boolean {
  if (typeof expected === 'function') return Boolean((expected as (value: unknown) => unknown)(actual));
  if (typeof expected !== 'object' || expected === null) return actual === expected;
  if (typeof actual !== 'object' || actual === null) return false;
  if (Array.isArray(expected) && (!Array.isArray(actual) || actual.length !== expected.length)) return false;
  return Object.entries(expected).every(([name, value]) =>
    has((actual as Record<string, unknown>)[name], value),
  );
}

async function prepareSandbox(url: string, settings: object | undefined): Promise<Facts> {
  const merchantUid = 'window-1';
  await control(url, '/reset', {});
  if (settings) await control(url, '/settings', settings, 'PATCH');
  const payment = await control(url, '/payments', { merchant_uid: merchantUid, amount: 1000 });
  const { now } = await control(url, '/clock');
  return { svcUid: String(payment['svc_uid']), merchantUid, now: Number(now) };
}

/** The number of requests for paths that the sandbox does not have. */
async function unknownCalls(url: string): Promise<number> {
  return Number((await control(url, '/requests/count?endpoint=unknown'))['count']);
}

async function control(
  url: string,
  path: string,
  body?: object,
  method = 'POST',
): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}/_sandbox${path}`, {
    ...(body && { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`the sandbox answers ${response.status} to ${path}`);
  return (await response.json()) as Record<string, unknown>;
}
