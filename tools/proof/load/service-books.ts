// Reads the service's data through its own endpoints, without the merchants.

import type { SandboxControls } from '../../../test/support/sandbox-controls';

export type ServicePayment = {
  svc_uid: string;
  merchant_uid: string;
  status: string;
  amount: number;
  cancel_amount: number;
};
export type ServiceSchedule = { merchant_uid: string; customer_uid: string; schedule_status: string };

const AT_ONCE = 16;
/** The maximum of §4.8. */
const PAGE = 1000;
const CHUNK = 100;

export type ServiceBooks = {
  payments(merchantUids: readonly string[]): Promise<ServicePayment[]>;
  /** Returns those of the keys that the service has. */
  keys(customerUids: readonly string[]): Promise<Set<string>>;
  schedules(): Promise<ServiceSchedule[]>;
};

export async function openServiceBooks({ url }: Pick<SandboxControls, 'url'>): Promise<ServiceBooks> {
  const credentials = new URLSearchParams({ svc_key: 'sandbox_key', svc_secret: 'sandbox_secret' });
  const answer = await fetch(`${url}/users/getToken`, { method: 'POST', body: credentials });
  const { response } = (await answer.json()) as { response: { access_token: string } };
  /** Null for a 404. */
  const get = async <Answer>(path: string): Promise<Answer | null> => {
    const got = await fetch(`${url}${path}`, {
      headers: { authorization: `Bearer ${response.access_token}` },
    });
    const envelope = (await got.json()) as { code: number; message: string; response: Answer };
    if (got.status === 404) return null;
    if (envelope.code !== 0) throw new Error(`${path}: ${envelope.message}`);
    return envelope.response;
  };
  return {
    async payments(merchantUids) {
      const found: ServicePayment[] = [];
      let next = 0;
      const work = async () => {
        for (let uid = merchantUids[next++]; uid !== undefined; uid = merchantUids[next++])
          found.push(...((await get<{ list: ServicePayment[] }>(`/payments/findAll/${uid}`))?.list ?? []));
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      return found;
    },
    async keys(customerUids) {
      const found = new Set<string>();
      for (let from = 0; from < customerUids.length; from += CHUNK) {
        const query = new URLSearchParams(
          customerUids.slice(from, from + CHUNK).map((uid): [string, string] => ['customer_uid[]', uid]),
        );
        const keys = await get<{ customer_uid: string }[]>(`/subscribe/customers?${query.toString()}`);
        for (const { customer_uid } of keys ?? []) found.add(customer_uid);
      }
      return found;
    },
    async schedules() {
      const found: ServiceSchedule[] = [];
      for (let page = 1; ; page += 1) {
        const path = `/subscribe/payments/schedule?schedule_from=0&schedule_to=4000000000&limit=${PAGE}&page=${page}`;
        const list = (await get<ServiceSchedule[]>(path)) ?? [];
        found.push(...list);
        if (list.length < PAGE) return found;
      }
    },
  };
}
