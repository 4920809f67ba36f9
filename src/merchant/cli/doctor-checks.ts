// The result type of `npm run doctor` checks, and the checks that only need the settings and the files of this
// repository. No check changes anything.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../platform/config';
import { databaseTransport } from '../platform/database-url';
import { SET_PRODUCTION, unsafeOutsideProduction } from '../platform/environment';

/** What a check has found. */
export type Finding = {
  /** `by hand`: a program cannot check it, so a person must. */
  state: 'ok' | 'warning' | 'failed' | 'skipped' | 'by hand';
  says: string;
  fix?: string;
};
export type Check = Finding & { name: string };

const ROOT = join(__dirname, '..', '..', '..');
const LEGAL_PAGES = join(ROOT, 'views', 'merchant', 'cards', 'legal');

export async function checkNode(version = process.versions.node): Promise<Check> {
  const { engines } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
    engines: { node: string };
  };
  if (engines.node.split(' || ').some((range) => accepts(range, version)))
    return { name: 'node', state: 'ok', says: version };
  return {
    name: 'node',
    state: 'failed',
    says: `${version}; required is ${engines.node}`,
    fix: 'See https://nodejs.org.',
  };
}

/** @param range such as "^20.19.0" or ">=24.0.0" */
function accepts(range: string, version: string): boolean {
  const wanted = range.replace(/^\D+/, '');
  const isNewEnough = version.localeCompare(wanted, 'en', { numeric: true }) >= 0;
  return isNewEnough && (!range.startsWith('^') || parseInt(version) === parseInt(wanted));
}

/** A misspelt setting has its default, silently. */
export function checkNames(unread: readonly string[]): Check[] {
  if (unread.length === 0) return [];
  const fix =
    'Correct the name, or remove the line. A setting of your own is read as soon as a file of src/merchant names it.';
  return [{ name: 'names of settings', state: 'warning', says: unread.join('\n'), fix }];
}

/** NODE_ENV decides how strict all other checks are. */
export function checkMode(config: Config): Check {
  const name = 'settings';
  const unsafe = unsafeOutsideProduction(config);
  if (unsafe.length === 0)
    return { name, state: 'ok', says: config.production ? 'production' : 'development' };
  const says = `development, with the service at ${config.service.baseUrl}\n${unsafe.join('\n')}`;
  return { name, state: 'warning', says, fix: SET_PRODUCTION };
}

/** Only reported in production with a database on another host. */
export function checkDatabaseTransport({ production, databaseUrl, databaseDirectUrl }: Config): Check[] {
  const transports = [databaseUrl, databaseDirectUrl]
    .map(databaseTransport)
    .filter((each) => each !== 'local');
  if (!production || transports.length === 0) return [];
  const name = 'database tls';
  if (transports.every((each) => each === 'verified'))
    return [{ name, state: 'ok', says: 'certificate and host name are checked' }];
  const says =
    'a database URL allows a connection without encryption, or to a server without a checked certificate';
  return [{ name, state: 'warning', says, fix: 'Set sslmode=verify-full, unless the network protects it.' }];
}

/** §1 requires terms of use and a privacy policy. The merchant must fill in the text in brackets. */
export async function checkLegalPages(production: boolean, folder = LEGAL_PAGES): Promise<Check> {
  const found: string[] = [];
  for (const file of (await readdir(folder)).sort()) {
    const text = (await readFile(join(folder, file), 'utf8')).replace(/<%[\s\S]*?%>/g, '');
    const placeholders = new Set(text.match(/\[[^\][<>\n]{1,60}\]/g) ?? []);
    if (placeholders.size > 0) found.push(`${file}: ${[...placeholders].join(' ')}`);
  }
  if (found.length === 0) return { name: 'legal pages', state: 'ok', says: 'no placeholder is left' };
  return {
    name: 'legal pages',
    state: production ? 'failed' : 'warning',
    says: `placeholders are left\n${found.join('\n')}`,
    fix: 'Fill them in, in views/merchant/cards/legal, before a member sees them.',
  };
}
