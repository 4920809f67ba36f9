// The path of the webhook, below PATH_PREFIX.

export const WEBHOOK_PATH = '/webhooks/payments';

/** The URL to set in the console of the service. @param base the URL before the paths of this server */
export const webhookUrl = (base: string): string => `${base}${WEBHOOK_PATH}`;
