// The controls of a sandbox, and the endpoints of the service by the names used there.

import { send } from './raw-http';

export type SandboxPayment = {
  svc_uid: string;
  merchant_uid: string;
  status: string;
  amount: number;
} & Record<string, unknown>;

const REQUEST_TIMEOUT = 408;

export type SandboxControls = ReturnType<typeof createSandboxControls>;

export function createSandboxControls(url: string) {
  async function call(method: string, path: string, body?: unknown): Promise<any> {
    // A control is sent only once, and on a busy machine the other end may have closed a kept-alive connection: each has its own.
    const { status, body: text } = await send(url, `/_sandbox${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    // The machine was so busy that the sandbox timed out before it read the request.
    if (status === REQUEST_TIMEOUT) return call(method, path, body);
    if (status >= 300) throw new Error(`sandbox ${method} ${path}: ${status} ${text}`);
    return JSON.parse(text);
  }

  /** Resolves when all sent notifications are answered. */
  const waitForNotifications = (): Promise<unknown> => call('GET', '/notifications?settled=1');

  /** The number of requests to an endpoint so far, or of those answered with this status. */
  async function requests(endpoint: string, status?: number): Promise<number> {
    const which = new URLSearchParams({ endpoint, ...(status && { status: String(status) }) });
    return (await call('GET', `/requests/count?${which.toString()}`)).count as number;
  }

  async function allRequests(): Promise<number> {
    return (await call('GET', '/requests/count')).total as number;
  }

  return {
    url,
    call,
    waitForNotifications,
    requests,
    allRequests,
    /** The number of requests to an endpoint during an action. */
    async requestsDuring(endpoint: string, act: () => Promise<unknown>): Promise<number> {
      const before = await requests(endpoint);
      await act();
      return (await requests(endpoint)) - before;
    },
    settings: (settings: Record<string, unknown>) => call('PATCH', '/settings', settings),
    /** Makes a payment in the service's window. Resolves when its notification is answered, if it has one. */
    async pay(payment: Record<string, unknown>): Promise<SandboxPayment> {
      const record = (await call('POST', '/payments', payment)) as SandboxPayment;
      if (payment['notify'] !== false) await waitForNotifications();
      return record;
    },
    async control(svcUid: string, action: string, body: Record<string, unknown> = {}): Promise<any> {
      const answer = (await call('POST', `/payments/${svcUid}/${action}`, body)) as unknown;
      await waitForNotifications();
      return answer;
    },
    fault: (fault: Record<string, unknown>) => call('POST', '/faults', fault),
    clearFaults: () => call('DELETE', '/faults'),
    advance: (seconds: number) => call('POST', '/clock', { advance_seconds: seconds }),
    notifications: () => call('GET', '/notifications'),
  };
}

export const TOKEN = 'POST /users/getToken';
export const ISSUE_KEY = 'POST /subscribe/customers/:customer_uid';
export const FIND_KEYS = 'GET /subscribe/customers';
export const CHARGE_KEY = 'POST /subscribe/payments/again';
export const FETCH_PAYMENT = 'GET /payments/:svc_uid';
export const FIND_PAYMENTS = 'GET /payments/findAll/:merchant_uid';
export const LIST_PAYMENTS = 'GET /payments/status/:payment_status';
