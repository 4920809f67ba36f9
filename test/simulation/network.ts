// The way to the payment service, on which requests and answers are lost, answers are those of a copy that lags, and a token
// is refused for no reason.

import { ServiceError } from '../../src/merchant/errors';
import type { Http, HttpRequest, HttpResponse } from '../../src/merchant/payment-service/transport/http';
import type { ManualClock } from '../support/clock';
import type { Random } from './random';

export type Network = ReturnType<typeof createNetwork>;

const FAULTS = [
  [3, 'request lost'],
  [3, 'answer lost'],
  [2, 'server error'],
  [2, 'server error after the work'],
  [2, 'unauthorized'],
  [4, 'lag'],
] as const;

/** Copies of the service lag by less. */
const MOST_LAG_MS = 4_000;

export function createNetwork(http: Pick<Http, 'send'>, random: Random, clock: ManualClock) {
  const answers = new Map<string, { answer: HttpResponse; at: number }>();
  let faults = 0;

  async function send(request: HttpRequest): Promise<HttpResponse> {
    if (!random.chance(faults)) return answered(request);
    const fault = random.weighted(FAULTS);
    switch (fault) {
      case 'request lost':
        throw failure(request, 'unreachable');
      case 'answer lost':
        await answered(request);
        throw failure(request, 'no_answer');
      case 'server error':
        return { status: 502, headers: {}, text: '<html>Bad gateway</html>' };
      case 'server error after the work':
        await answered(request);
        return { status: 504, headers: {}, text: '<html>Gateway time-out</html>' };
      case 'unauthorized':
        return { status: 401, headers: {}, text: '{"code":-1,"message":"Unauthorized","response":null}' };
      case 'lag': {
        const earlier = answers.get(request.url);
        const isRecent = earlier && clock.nowMs() - earlier.at < MOST_LAG_MS;
        return request.method === 'GET' && isRecent ? earlier.answer : answered(request);
      }
    }
  }

  async function answered(request: HttpRequest): Promise<HttpResponse> {
    const answer = await http.send(request);
    if (request.method === 'GET') answers.set(request.url, { answer, at: clock.nowMs() });
    return answer;
  }

  return {
    send,
    /** @param probability of a fault, for each call */
    setFaults(probability: number): void {
      faults = probability;
    },
  };
}

function failure({ method, path }: HttpRequest, kind: 'unreachable' | 'no_answer'): ServiceError {
  return new ServiceError({ kind, method, path, detail: 'simulated' });
}
