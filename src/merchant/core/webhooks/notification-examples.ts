// A notification as the API description shows it: as the service sends it, and as it is kept.

/** Of the legacy generation (§6.4). */
export const notificationBodyExample = {
  svc_uid: 'svc_20261121a7f3',
  merchant_uid: 'order-1001',
  status: 'paid',
};

export const notificationExample = {
  id: '42',
  received_at: '2026-11-21T09:00:00.980Z',
  generation: 'legacy',
  svc_uid: notificationBodyExample.svc_uid,
  merchant_uid: notificationBodyExample.merchant_uid,
  claimed_status: notificationBodyExample.status,
  source_address: '52.78.100.19',
  request_id: '5f0c2f2e-7a5b-4a2e-9c1d-0f6b1f3c8a77',
  outcome: 'recorded',
  reason: null,
  attempts: 1,
  judged_at: '2026-11-21T09:00:01.204Z',
  next_attempt_at: null,
};
