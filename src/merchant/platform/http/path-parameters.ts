// What may stand in a path, once for all routes: what it names, and the value that the examples of the API description
// have for it. The examples tell one story: member-7 buys order-1002 and with it stores a card,
// which then pays for order-1001 and for what is scheduled.

export const PATH_PARAMETERS = {
  merchant_uid: { description: 'The merchant’s own id of the order.', example: 'order-1001' },
  svc_uid: { description: 'The service’s id of the payment (§2.4).', example: 'svc_20261121a7f3' },
  customer_uid: { description: 'The merchant’s own id of the billing key (§1).', example: 'member-7-card-1' },
  member_id: { description: 'The merchant’s own id of the member.', example: 'member-7' },
  subscription_id: { description: 'The merchant’s own id of the subscription.', example: 'tea-member-7' },
  event_id: { description: 'The `id` of the event.', example: 'order-1001:1' },
  id: { description: 'The `id` that the list shows.', example: '17' },
} as const;
