// Accepted and refused fields in the body of a key-in payment.

import { onetimeSchema } from '../../../../src/merchant/options/card-form/onetime-schema';
import { parseRequest } from '../../../../src/merchant/platform/http/body-fields';
import { CARD } from '../../../support/cards';

const body = { merchant_uid: 'order-1', name: 'Tea', amount: 60_000, ...CARD };

test.each([
  [{ notice_url: ['https://evil.example'] }, 'notice_url: is not taken'],
  [{ currency: 'USD' }, 'currency'],
  [{ customer_uid: 'cust-1' }, 'member_id: is needed with customer_uid'],
])('the body of a key-in payment with %j is refused by the name of its field', (fields, reason) => {
  expect(() => parseRequest(onetimeSchema, body)).not.toThrow();
  expect(() => parseRequest(onetimeSchema, { ...body, ...fields })).toThrow(reason);
  expect(() => parseRequest(onetimeSchema, { ...body, ...fields })).not.toThrow('evil');
});
