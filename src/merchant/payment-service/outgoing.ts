// What leaves us is checked by its name, wherever it stands: in a path, a query or a body. A bad value throws before
// anything is sent, so that no id can bend an address and no amount can surprise.
import { ServiceFault } from '../errors';
import { isCustomerUid, isMerchantUid, isSvcUid } from './identifiers';

export type Query = Record<string, string | number | readonly string[] | undefined>;

const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
const isPositive = (value: unknown) => isCount(value) && value !== 0;
const isStatus = (value: unknown) => /^(all|ready|paid|cancelled|failed)$/.test(String(value));

const CHECKS = new Map<string, (value: unknown) => boolean>([
  ['svc_uid', isSvcUid],
  ['merchant_uid', isMerchantUid],
  ['payment_id', isMerchantUid],
  ['customer_uid', isCustomerUid],
  ['payment_status', isStatus],
  // On the wire a cancellation of 0 means all of it, so 0 is never what somebody meant.
  ['amount', isPositive],
  ['checksum', isCount],
  ['tax_free', isCount],
  ['card_quota', isCount],
  ['schedule_at', isPositive],
  ['schedule_from', isCount],
  ['schedule_to', isCount],
  ['from', isCount],
  ['to', isCount],
  ['page', isPositive],
  ['limit', isPositive],
]);

/** "/payments/{svc_uid}" with its identifiers in place. Every placeholder has a check. */
export function fillPath(call: { method: string; path: string }, ids: Record<string, string> = {}): string {
  return call.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (!CHECKS.get(name)?.(ids[name])) throw malformed(call, name);
    return encodeURIComponent(ids[name] ?? '');
  });
}

/** Before a token is asked for: where something is malformed, nothing at all is sent. */
export function checkOperation(operation: {
  method: string;
  path: string;
  ids?: Record<string, string>;
  query?: Query;
  body?: object;
}): void {
  fillPath(operation, operation.ids);
  checkOutgoing(operation, { ...operation.query });
  checkOutgoing(operation, { ...operation.body });
}

/** Throws where a known name, at any depth of a query or body, carries a value that it cannot have. */
export function checkOutgoing(call: { method: string; path: string }, values: object): void {
  for (const [fullName, value] of Object.entries(values)) {
    const name = fullName.replace(/\[\]$/, '');
    for (const item of (Array.isArray(value) ? value : [value]) as unknown[]) {
      if (item === undefined) continue;
      if (CHECKS.get(name)?.(item) === false) throw malformed(call, name);
      if (typeof item === 'object' && item !== null) checkOutgoing(call, item);
    }
  }
}

function malformed({ method, path }: { method: string; path: string }, name: string): ServiceFault {
  return new ServiceFault({ kind: 'refused', method, path, detail: `malformed ${name}, nothing was sent` });
}
