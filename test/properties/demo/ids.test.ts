// The ids that the demo shop makes.

import fc from 'fast-check';
import { newDemoOrder, newDemoSubscription } from '../../../src/merchant/options/demo/demo-shop';
import { maskCardNumbers } from '../../../src/merchant/platform/http/mask-card-numbers';
import { holds } from '../../support/property';

test.each([newDemoOrder, newDemoSubscription])('no id of the demo shop is ever masked: %p', (newId) => {
  holds(
    fc.property(
      fc.constant(null).map(() => newId()),
      (id) => expect(maskCardNumbers(`/orders/${id}/return`)).toBe(`/orders/${id}/return`),
    ),
  );
});
