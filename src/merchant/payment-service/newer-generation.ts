// The newer interface generation (§5.7, §9): its payments become the same records as the legacy ones.
import type { PaymentRecord } from './records';

export type NewerGenerationOperations = {
  /** GET /v2/payments/{payment_id}. Null where the service knows no such payment. */
  findNewerPayment(paymentId: string): Promise<PaymentRecord | null>;
};
