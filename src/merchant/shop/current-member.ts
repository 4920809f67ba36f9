// One of the files that a shop replaces (docs/04-going-live.md, section 3, lists all of them): which member sends a
// request? Let both functions ask your own sign-in (a session store, a token, a sign-in page);
// docs/03-guides/1-own-sign-in.md shows how. By default every browser is its own member.

export { currentMember, requireMember, signInByLink } from './built-in-members';
