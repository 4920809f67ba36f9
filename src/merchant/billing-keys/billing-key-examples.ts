// A billing key as the API description shows it, from both sides.

import { PATH_PARAMETERS } from '../http/path-parameters';

const card = {
  card_name: '현대카드',
  card_code: '367',
  card_number: '4242-42**-****-4242',
  card_type: '0',
  pg_provider: 'nice',
};
const REGISTERED_AT = '2026-11-20T05:12:40.000Z';
const registeredAtSeconds = Date.parse(REGISTERED_AT) / 1000;

export const billingKeyListExample = [
  {
    customer_uid: PATH_PARAMETERS.customer_uid.example,
    code: 0,
    message: null,
    ...card,
    pg_id: 'nice_mid',
    inserted: registeredAtSeconds,
    updated: registeredAtSeconds,
    stored: {
      member_id: PATH_PARAMETERS.member_id.example,
      status: 'active',
      ...card,
      removing_since: null,
      created_at: REGISTERED_AT,
      updated_at: REGISTERED_AT,
    },
  },
];
