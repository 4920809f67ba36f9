// A card number that a caller has put into a path, an id or the name of a field is masked; ids of orders are not.

import { maskCardNumbers } from '../../../src/merchant/http/mask-card-numbers';

test.each([
  ['/api/orders/5409-1357-2468-9012', '/api/orders/540913******9012'],
  ['/api/orders/5409135724689012/close', '/api/orders/540913******9012/close'],
  ['/cards/card%205409%201357%202468%209012/replace', '/cards/card%20540913******9012/replace'],
  ['9409 1357 2468 9012', '940913******9012'],
  ['Unrecognized key: "2221000000000009"', 'Unrecognized key: "222100******0009"'],
  ['3782.822463.10005', '378282*****0005'],
])('%p becomes %p', (text, masked) => {
  expect(maskCardNumbers(text)).toBe(masked);
});

test.each([
  '/api/orders/order-2026112211340912',
  '/api/orders/2026112211340912',
  '/api/payments/svc_123456789012',
  '/api/events/20261122113409123456:1/replay',
  '/api/orders/54091357246890123456',
])('%p stays as it is', (text) => {
  expect(maskCardNumbers(text)).toBe(text);
});
