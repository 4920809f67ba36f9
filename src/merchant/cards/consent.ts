// What the member agrees to (§1: the merchant must state its terms and privacy policy). The versions are stored with
// every issuance. Whoever changes a text under views/merchant/legal/ gives it a new version here.

export const CONSENT = { termsVersion: '2026-11-21', privacyVersion: '2026-11-21' } as const;
