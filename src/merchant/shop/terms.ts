// The versions of the documents that a member agrees to: a merchant with its own card form must state its terms and its
// privacy policy (§1). They are stored with every issuance. Change a version here when you change the text of its
// document under views/merchant/cards/legal/.

export const CONSENT = { termsVersion: '2026-11-26', privacyVersion: '2026-11-26' } as const;
