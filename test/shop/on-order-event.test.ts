// The shop's own test: it changes with src/merchant/shop/on-order-event.ts. Tests of other parts use the file as shipped.

import { nameHandlers } from '../../src/merchant/core/events/handlers';
import { onOrderEvent } from '../../src/merchant/shop/on-order-event';

test('the names of the handlers can be stored', () => {
  expect(Object.keys(nameHandlers(onOrderEvent))).not.toEqual([]);
});
