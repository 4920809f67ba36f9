// Finds texts that look like a real secret: private keys, credentials in the form of well-known services, passwords in
// addresses, and random values with the name of a secret. Values in examples consist of words.
// The payment service's document does not show the form of its keys, so they are found by their names.

export type FoundSecret = { kind: string; line: number };

const KINDS: [string, RegExp][] = [
  ['private key', /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/],
  ['key of AWS', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/],
  ['token of GitHub', /\b(?:gh[pousr]_\w{36,}|github_pat_\w{22,})/],
  ['token of npm', /\bnpm_[A-Za-z0-9]{36}\b|_authToken *=/],
  ['token of Slack', /\bxox[abeprs]-[\w-]{10,}/],
  ['key of Google', /\bAIza[\w-]{35}\b/],
  ['key of a payment service', /\b(?:sk|rk|live_sk|live_gsk)_(?:live_)?[A-Za-z0-9]{20,}\b/],
  ['signed token', /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/],
  ['secret of Standard Webhooks', /\bwhsec_[A-Za-z0-9+/]{32,}={0,2}/],
  [
    'secret under its name',
    /(?:secret|password|passwd|token|api_?key|svc_key|SERVICE_KEY)\w*["'`]?\s*[:=]\s*["'`]?(\S+)/i,
  ],
  ['password in an address', /\b[a-z][a-z+]+:\/\/[^\s/:@"'`]+:([^\s/@"'`]+)@/],
];

/** If a kind has a group, the group must look random. */
export function findSecrets(text: string): FoundSecret[] {
  return text.split('\n').flatMap((line, index) =>
    KINDS.filter(([, pattern]) => isSecret(pattern.exec(line))).map(([kind]) => ({
      kind,
      line: index + 1,
    })),
  );
}

function isSecret(match: RegExpExecArray | null): boolean {
  return match !== null && (match[1] === undefined || isMachineMade(match[1]));
}

/** 16 or more characters without a break, with letters and digits mixed, like those of `openssl rand` and consoles. */
function isMachineMade(value: string): boolean {
  const [piece = ''] = /^[A-Za-z0-9+/_]{16,}/.exec(value) ?? [];
  // After it, a string of code goes on: a name with a call, an index or a member.
  if (/^[([.]/.test(value.slice(piece.length))) return false;
  const changes = [...piece].filter(
    (sign, index) => index > 0 && kindOf(sign) !== kindOf(piece[index - 1] ?? ''),
  );
  return /\d/.test(piece) && /[A-Za-z]/.test(piece) && changes.length >= 5;
}

function kindOf(sign: string): string {
  return /\d/.test(sign) ? 'digit' : /[a-z]/.test(sign) ? 'lower' : /[A-Z]/.test(sign) ? 'upper' : 'other';
}
