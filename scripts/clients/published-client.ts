// What a published client of the service is to this command: its calls under one name each, and how it tells a refusal.

/** What the sandbox accepts where nothing else is set. */
export const KEY = 'sandbox_key';
export const SECRET = 'sandbox_secret';

export type Calls = {
  getToken(): Promise<unknown>;
  getPayment(uid: string): Promise<unknown>;
  getPaymentOfOrder(merchantUid: string): Promise<unknown>;
  listPayments(status: string): Promise<unknown>;
  issueKey(customerUid: string, card: Card): Promise<unknown>;
  getKey(customerUid: string): Promise<unknown>;
  deleteKey(customerUid: string): Promise<unknown>;
  payAgain(order: Order & { customer_uid: string }): Promise<unknown>;
  payOnce(order: Order & Card): Promise<unknown>;
  schedule(customerUid: string, entry: Order & { schedule_at: number }): Promise<unknown>;
  listSchedules(customerUid: string, period: { from: number; to: number }): Promise<unknown>;
  unschedule(customerUid: string): Promise<unknown>;
  cancel(request: { imp_uid: string; amount?: number; reason: string }): Promise<unknown>;
  prepare(order: { merchant_uid: string; amount: number }): Promise<unknown>;
  getPrepared(merchantUid: string): Promise<unknown>;
  issueAccount(account: Account): Promise<unknown>;
};

export type Card = { card_number: string; expiry: string; birth: string; pwd_2digit: string };
export type Order = { merchant_uid: string; amount: number; name: string };
export type Account = {
  merchant_uid: string;
  amount: number;
  vbank_code: string;
  vbank_due: number;
  vbank_holder: string;
};

export type Client = {
  /** A call that is absent is one that the client does not have. */
  calls: Partial<Calls>;
  /** The `response` of the envelope, of what a call resolved to. */
  recordOf(resolved: unknown): unknown;
  /** What a merchant's program sees of a refusal: of what a call resolved to, or of what it rejected with. */
  refusalOf(told: unknown): string;
};

export type PublishedClient = {
  name: string;
  version: string;
  /** Settings of the sandbox that the client needs: what it reads where the service's answers have two shapes. */
  settings?: object;
  /** Makes a client of the package's module that talks to the sandbox. */
  connect(module: unknown, url: string, secret: string): Client;
};
