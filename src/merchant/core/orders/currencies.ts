// The currencies of orders: §2.4 lists `USD`, `KRW`, `EUR`. Another one is added here alone.

export const CURRENCIES = ['KRW', 'USD', 'EUR'] as const;
