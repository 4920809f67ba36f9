// Endpoints of the service under the names of the sandbox's controls, which count their requests and change their
// answers.

export const TOKEN = 'POST /users/getToken';
export const ISSUE_KEY = 'POST /subscribe/customers/:customer_uid';
export const FIND_KEYS = 'GET /subscribe/customers';
export const CHARGE_KEY = 'POST /subscribe/payments/again';
export const FETCH_PAYMENT = 'GET /payments/:svc_uid';
export const FIND_PAYMENTS = 'GET /payments/findAll/:merchant_uid';
export const LIST_PAYMENTS = 'GET /payments/status/:payment_status';
