// src/merchant/shop/terms.ts as shipped: tests use this one (jest-project.cjs).

export const CONSENT = { termsVersion: '2026-11-26', privacyVersion: '2026-11-26' } as const;
