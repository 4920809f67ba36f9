// Where the payment window sends the browser back.

export const RETURN_PATH = '/cards/window/:customer_uid/return';

export const returnPath = (customerUid: string): string => RETURN_PATH.replace(':customer_uid', customerUid);
