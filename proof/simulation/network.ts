// The way to the payment service, on which requests and answers are lost, answers are those of a copy that lags, a token is
// refused for no reason, and a record is not the one that was asked for.

import type { Random } from '../seeded-random';
import { LostError, type Send, type ServiceAnswer, type ServiceRequest } from './in-process-service';
import type { SimulatedClock } from './simulated-clock';
import type { Tally } from './tally';

export type Network = ReturnType<typeof createNetwork>;

const FAULTS = [
  [3, 'request lost'],
  [3, 'answer lost'],
  [2, 'server error'],
  [2, 'server error after the work'],
  [2, 'unauthorized'],
  [1, 'too many requests'],
  [8, 'lag'],
  [2, 'forged amount'],
  [2, 'record of another payment'],
] as const;
export type NetworkFault = (typeof FAULTS)[number][1];

/** After these the merchant believes what was not so when it asked. */
const DISTORTIONS: readonly NetworkFault[] = ['lag', 'forged amount', 'record of another payment'];

/** Copies of the service lag by less. */
const MOST_LAG_MS = 4_000;
/** No order has an amount that differs from another one's by so much. */
const FORGED_BY = 7;
const PAYMENT = '/payments/{svc_uid}';
const CHARGES = ['/subscribe/payments/again', '/subscribe/payments/onetime'];

export function createNetwork(sendOn: Send, random: Random, clock: SimulatedClock, tally: Tally) {
  const answers = new Map<string, { answer: ServiceAnswer; template: string; at: number }>();
  const charges = new Set<string>();
  const sentTwice: string[] = [];
  let faults = 0;
  let hasDistorted = false;
  let onCharge: (merchantUid: string) => void = () => undefined;

  async function send(request: ServiceRequest): Promise<ServiceAnswer> {
    if (!random.chance(faults)) return answered(request);
    const fault = random.weighted(FAULTS);
    const answer = await faulty(fault, request);
    if (answer === null) return answered(request);
    tally.add(`network: ${fault}`);
    if (DISTORTIONS.includes(fault)) hasDistorted = true;
    if (answer instanceof LostError) throw answer;
    return answer;
  }

  /** Returns null where this fault cannot happen to this request. */
  async function faulty(
    fault: NetworkFault,
    request: ServiceRequest,
  ): Promise<ServiceAnswer | LostError | null> {
    const isPayment = request.method === 'GET' && request.template === PAYMENT;
    switch (fault) {
      case 'request lost':
        return new LostError(false);
      case 'answer lost':
        await answered(request);
        return new LostError(true);
      case 'server error':
        return { status: 502, headers: {}, text: '<html>Bad gateway</html>' };
      case 'server error after the work':
        await answered(request);
        return { status: 504, headers: {}, text: '<html>Gateway time-out</html>' };
      case 'unauthorized':
        return { status: 401, headers: {}, text: '{"code":-1,"message":"Unauthorized","response":null}' };
      case 'too many requests':
        return {
          status: 429,
          headers: { 'retry-after': '5' },
          text: '{"code":-1,"message":"Too many requests","response":null}',
        };
      case 'lag': {
        const earlier = request.method === 'GET' ? answers.get(request.url) : undefined;
        return earlier && clock.nowMs() - earlier.at < MOST_LAG_MS ? earlier.answer : null;
      }
      case 'forged amount':
        return isPayment ? withForgedAmount(await answered(request)) : null;
      case 'record of another payment': {
        const others = [...answers].filter(
          ([url, { template }]) => template === PAYMENT && url !== request.url,
        );
        return isPayment && others.length > 0 ? random.pick(others)[1].answer : null;
      }
    }
  }

  async function answered(request: ServiceRequest): Promise<ServiceAnswer> {
    if (CHARGES.includes(request.template) && request.body !== undefined) {
      // Its body carries the id of its charge.
      const merchantUid = merchantUidOf(request.body);
      if (charges.has(request.body)) sentTwice.push(merchantUid);
      charges.add(request.body);
      onCharge(merchantUid);
    }
    const answer = await sendOn(request);
    if (request.method === 'GET')
      answers.set(request.url, { answer, template: request.template, at: clock.nowMs() });
    return answer;
  }

  return {
    send,
    /** Orders of which a charge reached the service a second time. It would refuse most of them, and one day it would not. */
    sentTwice: sentTwice as readonly string[],
    /** Whether an answer was given that is not what the service had at that moment. */
    hasDistorted: () => hasDistorted,
    /** @param listener called before a charge takes money */
    watchCharges(listener: (merchantUid: string) => void): void {
      onCharge = listener;
    },
    /** @param probability of a fault, for each call */
    setFaults(probability: number): void {
      faults = probability;
    },
  };
}

/** Returns null where the answer has no amount. */
function withForgedAmount(answer: ServiceAnswer): ServiceAnswer | null {
  const text = answer.text.replace(/"amount":(\d+)/, (_, amount) => `"amount":${Number(amount) + FORGED_BY}`);
  return text === answer.text ? null : { ...answer, text };
}

function merchantUidOf(body: string): string {
  return (JSON.parse(body) as { merchant_uid: string }).merchant_uid;
}
