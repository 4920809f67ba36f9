// Secrets that take several values, and what is wrong with secrets in production. A problem names the setting and, where it
// has several values, which one of them; never the value.

/** The values of one secret: the first is used, all are accepted (docs/guides/rotation.md). */
export type Secrets = readonly [string, ...string[]];

/** Credentials that the sandbox accepts when nobody has set any. Refused in production. */
export const SANDBOX_CREDENTIALS = {
  SERVICE_KEY: 'sandbox_key',
  SERVICE_SECRET: 'sandbox_secret',
  SERVICE_API_KEY: 'sandbox_api_key',
} as const;

const SERVICE_SECRETS = ['SERVICE_KEY', 'SERVICE_SECRET', 'SERVICE_API_KEY'];
/** Ours, with several values each. */
const OWN_SECRETS = ['FORM_SECRET', 'MEMBER_SECRET', 'API_KEY', 'OPERATOR_PASSWORD'];
const MIN_OWN_SECRET_LENGTH = 16;

/** The values of a setting that are separated by commas. An entry is empty where two commas stand side by side. */
export function splitValues(text: string): Secrets {
  const [first = '', ...others] = text.split(',').map((part) => part.trim());
  return [first, ...others];
}

/** An accepted old value is as good as the one in use, so each has to obey every rule. */
export function secretProblems(given: Record<string, string | undefined>): string[] {
  return [...SERVICE_SECRETS, ...OWN_SECRETS].flatMap((name) => {
    const setting = given[name];
    if (setting === undefined) return [];
    const isOwn = OWN_SECRETS.includes(name);
    const values = isOwn ? splitValues(setting) : [setting];
    return values.flatMap((value, index) => {
      // An empty entry is refused everywhere, by config.ts.
      const problem = value === '' ? null : problemOf(value, isOwn);
      if (problem === null) return [];
      return [`${name}: ${values.length > 1 ? `value ${index + 1} ` : ''}${problem}`];
    });
  });
}

function problemOf(value: string, isOwn: boolean): string | null {
  if ((Object.values(SANDBOX_CREDENTIALS) as string[]).includes(value))
    return 'is a credential of the sandbox; take the live one from the admin console';
  if (/^(change|replace|your|example|secret|password)/i.test(value))
    return 'is still an example value; set a real one';
  if (isOwn && value.length < MIN_OWN_SECRET_LENGTH)
    return `is shorter than ${MIN_OWN_SECRET_LENGTH} characters; make one with: openssl rand -base64 32`;
  if (isOwn && /\s/.test(value)) return 'has white space in it; several values are separated by commas';
  return null;
}
