// The interface to a published client of the service: its calls under common names, and how it reports a refusal.

/** The default credentials of the sandbox. */
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
  /** A client may lack some calls. */
  calls: Partial<Calls>;
  /** Extracts the `response` of the envelope from the value that a call resolved to. */
  recordOf(resolved: unknown): unknown;
  /** The refusal as a merchant's program sees it, from the resolved value or the error. */
  refusalOf(result: unknown): string;
};

export type PublishedClient = {
  name: string;
  version: string;
  /** Settings of the sandbox for this client, where the service's answers have two shapes. */
  settings?: object;
  /** Creates a client from the package's module, connected to the sandbox. */
  connect(module: unknown, url: string, secret: string): Client;
};
