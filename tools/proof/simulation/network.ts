// The network to the payment service with faults: requests and answers are lost, answers come from a lagging replica, a valid
// token is refused, and a record belongs to another payment.

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

/** Faults after which the merchant has false information. */
const DISTORTIONS: readonly NetworkFault[] = ['lag', 'forged amount', 'record of another payment'];

/** The maximum lag of a replica. */
const MOST_LAG_MS = 4_000;
/** No two orders have amounts with this difference. */
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

  /** Returns null if this fault is not possible for the request. */
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
      // The body has the id of the charge.
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
    /** Orders whose charge reached the service twice. The service refuses most of them, but the merchant must not rely on it. */
    sentTwice: sentTwice as readonly string[],
    /** Whether an answer differed from the service's state. */
    hasDistorted: () => hasDistorted,
    /** @param listener is called before a charge takes money */
    watchCharges(listener: (merchantUid: string) => void): void {
      onCharge = listener;
    },
    /** @param probability of a fault per call */
    setFaults(probability: number): void {
      faults = probability;
    },
  };
}

/** Returns null if the answer has no amount. */
function withForgedAmount(answer: ServiceAnswer): ServiceAnswer | null {
  const text = answer.text.replace(/"amount":(\d+)/, (_, amount) => `"amount":${Number(amount) + FORGED_BY}`);
  return text === answer.text ? null : { ...answer, text };
}

function merchantUidOf(body: string): string {
  return (JSON.parse(body) as { merchant_uid: string }).merchant_uid;
}
