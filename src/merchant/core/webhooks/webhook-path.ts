// The path of the webhook, below PATH_PREFIX.

export const WEBHOOK_PATH = '/webhooks/payments';
