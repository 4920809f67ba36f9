// The payment service as the merchant sees it: one method per operation of §4 and §5.7. `get` throws a `not_found` fault
// where there is nothing, `find` answers null or an empty list. Every other failure is a ServiceFault.
import type { BillingKeyOperations } from './billing-keys';
import type { ChargeOperations } from './charges';
import type { NewerGenerationOperations } from './newer-generation';
import type { PaymentOperations } from './payments';
import type { ScheduleOperations } from './schedules';

export type PaymentService = BillingKeyOperations &
  ChargeOperations &
  PaymentOperations &
  ScheduleOperations &
  NewerGenerationOperations & {
    /**
     * The time on the service's clock: `now` of a token answer fetched for this (§2.1), so that windows of a sweep hold
     * where the host's clock is off. The answer also renews the token.
     */
    getServerTime(): Promise<Date>;
  };
