// The client of the payment service: one token, issue a billing key (§4.2), fetch a payment (§4.4).

import axios, { isAxiosError } from 'axios';
import { z } from 'zod';
import type { Settings } from './settings';

/** An id becomes part of a path: it must not lead elsewhere. */
export const id = z.string().regex(/^(?!\.+$)[A-Za-z0-9_.-]{1,64}$/);

/** Gives `svc_uid` its name in the document (see SERVICE_NAME_PREFIX), then reads the fields. */
export function withSvcUid<Schema extends z.ZodType>(prefix: string, schema: Schema) {
  return z.preprocess((fields: unknown) => {
    if (typeof fields !== 'object' || fields === null) return fields;
    return { ...fields, svc_uid: (fields as Record<string, unknown>)[`${prefix}_uid`] };
  }, schema);
}

/** What may be logged of an error: axios keeps the whole request in it, with the card or the token. */
export function kindOf(error: unknown) {
  const { name, code, status } = error as Error & { code?: string; status?: number };
  return { error: name, code, status };
}

const tokenSchema = z.object({
  response: z.object({ access_token: z.string().min(1), now: z.number(), expired_at: z.number() }),
});
const keySchema = z.object({
  code: z.number(),
  response: z.object({ card_name: z.string().nullish() }).nullish(),
});
const paymentFields = z.object({
  svc_uid: z.string(),
  merchant_uid: z.string(),
  status: z.enum(['ready', 'paid', 'cancelled', 'failed']),
  amount: z.int().nonnegative(),
  cancel_amount: z.int().nonnegative().nullish(),
  currency: z.string(),
});

export type CardInput = { card_number: string; expiry: string; birth: string; pwd_2digit: string };
export type FetchedPayment = z.infer<typeof paymentFields>;
export type PaymentService = ReturnType<typeof createPaymentService>;

const TOKEN_PATH = '/users/getToken';
const NO_TOKEN = { value: '', validUntil: 0 };
/** In the last minute of a token, the service extends it (§5). */
const RENEW_BEFORE_MS = 30_000;

export function createPaymentService(settings: Settings, deadlineMs = 10_000) {
  const prefix = settings.SERVICE_NAME_PREFIX;
  const paymentSchema = z.object({ code: z.literal(0), response: withSvcUid(prefix, paymentFields) });
  // A redirect would carry card data or the token to another host.
  const http = axios.create({ baseURL: settings.SERVICE_BASE_URL, maxRedirects: 0 });
  let token = NO_TOKEN;

  http.interceptors.request.use(async (config) => {
    config.signal = AbortSignal.timeout(deadlineMs);
    if (config.url === TOKEN_PATH) return config;
    if (Date.now() >= token.validUntil) token = await requestToken();
    config.headers.set('Authorization', `Bearer ${token.value}`);
    return config;
  });
  http.interceptors.response.use(null, (error) => {
    if (isAxiosError(error) && error.response?.status === 401) token = NO_TOKEN;
    throw error;
  });

  async function requestToken() {
    const { SERVICE_KEY, SERVICE_SECRET } = settings;
    const credentials = { [`${prefix}_key`]: SERVICE_KEY, [`${prefix}_secret`]: SERVICE_SECRET };
    const { response } = tokenSchema.parse((await http.post<unknown>(TOKEN_PATH, credentials)).data);
    const livesMs = (response.expired_at - response.now) * 1000;
    return { value: response.access_token, validUntil: Date.now() + livesMs - RENEW_BEFORE_MS };
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
