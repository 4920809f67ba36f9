// src/merchant/shop/current-member.ts as shipped: tests use this one (jest-project.cjs).

export { currentMember, requireMember, signInByLink } from '../../../src/merchant/shop/built-in-members';
