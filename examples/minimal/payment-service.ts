// The client of the payment service: one token, issue a billing key (§4.2), fetch a payment (§4.4).

import axios from 'axios';
import { z } from 'zod';
import type { Settings } from './settings';

const tokenSchema = z.object({
  response: z.object({ access_token: z.string().min(1), now: z.number(), expired_at: z.number() }),
});
const keySchema = z.object({
  code: z.number(),
  response: z.object({ card_name: z.string().nullish() }).nullish(),
});
const paymentSchema = z.object({
  code: z.literal(0),
  response: z.object({
    svc_uid: z.string(),
    merchant_uid: z.string(),
    status: z.enum(['ready', 'paid', 'cancelled', 'failed']),
    amount: z.int().nonnegative(),
    cancel_amount: z.int().nonnegative().nullish(),
    currency: z.string(),
  }),
});

export type CardInput = { card_number: string; expiry: string; birth: string; pwd_2digit: string };
export type FetchedPayment = z.infer<typeof paymentSchema>['response'];
export type PaymentService = ReturnType<typeof createPaymentService>;

const TOKEN_PATH = '/users/getToken';

export function createPaymentService(settings: Settings) {
  // A redirect would carry card data or the token to another host.
  const http = axios.create({ baseURL: settings.SERVICE_BASE_URL, timeout: 10_000, maxRedirects: 0 });
  let token = { value: '', validUntil: 0 };

  http.interceptors.request.use(async (config) => {
    if (config.url === TOKEN_PATH) return config;
    if (Date.now() >= token.validUntil) token = await requestToken();
    config.headers.set('Authorization', `Bearer ${token.value}`);
    return config;
  });

  async function requestToken() {
    const credentials = { svc_key: settings.SERVICE_KEY, svc_secret: settings.SERVICE_SECRET };
    const { response } = tokenSchema.parse((await http.post<unknown>(TOKEN_PATH, credentials)).data);
    const livesMs = (response.expired_at - response.now) * 1000;
    return { value: response.access_token, validUntil: Date.now() + livesMs };
  }

  return {
    /** Returns the card's name, or null if the card was declined. */
    async issueBillingKey(customerUid: string, card: CardInput): Promise<{ cardName: string | null } | null> {
      const { data } = await http.post<unknown>(`/subscribe/customers/${customerUid}`, card);
      const { code, response } = keySchema.parse(data);
      return code === 0 ? { cardName: response?.card_name ?? null } : null;
    },

    /** Returns null if the service does not know the payment. */
    async findPayment(svcUid: string): Promise<FetchedPayment | null> {
      const { status, data } = await http.get<unknown>(`/payments/${svcUid}`, {
        validateStatus: (code) => code === 200 || code === 404,
      });
      return status === 404 ? null : paymentSchema.parse(data).response;
    },
  };
}
