// A card number that a caller has put into a path, an id or the name of a field is masked; ids of orders are not.

import { maskCardNumbers } from '../../../../src/merchant/platform/http/mask-card-numbers';

test.each([
  ['/api/orders/5409-1357-2468-9012', '/api/orders/540913******9012'],
  ['/api/orders/5409135724689012/close', '/api/orders/540913******9012/close'],
  ['/cards/card%205409%201357%202468%209012/replace', '/cards/card%20540913******9012/replace'],
  ['9409 1357 2468 9012', '940913******9012'],
  ['Unrecognized key: "2221000000000009"', 'Unrecognized key: "222100******0009"'],
  ['3782.822463.10005', '378282*****0005'],
  ['/api/orders/5409%2D1357%2d2468%2D9012/close', '/api/orders/540913******9012/close'],
  ['/api/orders/5409%252D1357%25252d2468-9012', '/api/orders/540913******9012'],
  ['/api/orders/5409/1357/2468/9012', '/api/orders/540913******9012'],
  ['/api/orders/%35%34%30%39135724689012', '/api/orders/540913******9012'],
  ['/api/orders/5409135724689012/12', '/api/orders/540913******9012/12'],
  ['/api/orders/30/5409135724689012', '/api/orders/30/540913******9012'],
  ['/api/orders/5409%E2%80%931357%C2%A02468 - 9012', '/api/orders/540913******9012'],
  ['５４０９－１３５７－２４６８－９０１２', '540913******9012'],
  ['%EF%BC%95409135724689012 kim', '540913******9012 kim'],
  ['4222222222222', '422222***2222'],
  ['card 3056-930902-5904 of kim', 'card 305693****5904 of kim'],
  ['50339619890917002', '503396*******7002'],
  ['6304 0000 0000 0000 00', '630400********0000'],
  ['/api/orders/6200000000000000000', '/api/orders/620000*********0000'],
])('%p becomes %p', (text, masked) => {
  expect(maskCardNumbers(text)).toBe(masked);
});

test.each([
  '/api/orders/order-2026112211340912',
  '/api/orders/2026112211340912',
  '/api/payments/svc_123456789012',
  '/api/events/20261122113409123456:1/replay',
  '/api/orders/54091357246890123456',
  // More than 19 digits are not a card number, even with a check digit.
  '/api/orders/54091357246890123450',
  // Four characters between two groups are too many.
  '5409 -- 135724689012',
  // 13, 14 and 17 to 19 digits are a card number only with a valid check digit.
  '/api/orders/4222222222223',
  '/api/orders/30569309025905',
  '/api/orders/6200000000000000001',
  // Times: since 1970 in milliseconds, microseconds and nanoseconds, and as dates.
  '/api/orders/1764000000000',
  '/api/orders/1764000000000009',
  '/api/orders/1764000000000000008',
  '/api/orders/20261122-113409-123',
  '/operator/orders?from=2026-11-22&to=2026-12-22',
  'refund 300000 of 500000 won',
  '222.122.195.200',
  '5f0c2f2e-7a5b-4a2e-9c1d-0f6b1f3c8a77',
  '010-1234-5678',
  '/api/orders/100%25%zz%',
  // Invalid UTF-8.
  '/api/orders/%E0%80%80/4222222222223',
])('%p stays as it is', (text) => {
  expect(maskCardNumbers(text)).toBe(text);
});
