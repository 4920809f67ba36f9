// The one file that a shop replaces: which member sends a request? Have both functions ask your own sign-in (a session
// store, a token, a sign-in page); nothing else has to change, and docs/03-guides/1-own-sign-in.md shows how. As shipped, every
// browser is its own member.

export { currentMember, requireMember } from './built-in-members';
