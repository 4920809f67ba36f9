// What works on a developer's machine and must not go live: `config.ts` reports it together with all other problems.

import { addressProblems } from './address-rules';
import { databaseProblems } from './database-url';
import { secretProblems } from './secrets';
import { isPlainHttpUrl, liveUrlProblems } from './setting-urls';
import { list } from './settings-schema';

const SINGLE_URLS = ['SERVICE_BASE_URL', 'SERVICE_V2_BASE_URL', 'PUBLIC_URL', 'ORDER_EVENTS_URL'];
const DATABASE_URLS = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_OWNER_URL'] as const;

type Given = Readonly<Record<string, string | undefined>>;

/** What works on a developer's machine and must not go live. */
export function productionProblems(given: Given): string[] {
  const problems = requiredTogether(given);
  const single = SINGLE_URLS.map((name) => [name, given[name]]);
  const several = list.parse(given['RETURN_URLS']).map((entry) => ['RETURN_URLS', entry]);
  for (const [name, value] of [...single, ...several]) {
    if (value === undefined || !isPlainHttpUrl(value)) continue;
    const allow = name === 'ORDER_EVENTS_URL' ? list.parse(given['ORDER_EVENTS_ALLOW']) : null;
    problems.push(...liveUrlProblems(value, allow).map((problem) => `${name}: ${problem}`));
  }
  problems.push(...secretProblems(given), ...DATABASE_URLS.flatMap((name) => databaseProblems(given, name)));
  problems.push(...addressProblems(given), ...lackOfLog(given));
  return problems;
}

/** Pages refuse every Host header except that of PUBLIC_URL. The newer generation needs both of its settings. */
function requiredTogether(given: Given): string[] {
  const isMissing = (name: string) => given[name] === undefined;
  const newer = ['SERVICE_V2_BASE_URL', 'SERVICE_API_KEY'];
  const half = newer.some(isMissing) && !newer.every(isMissing) ? newer.filter(isMissing) : [];
  return [
    ...(isMissing('PUBLIC_URL')
      ? ['PUBLIC_URL: is missing; set the origin under which browsers see this server']
      : []),
    ...half.map(
      (name) => `${name}: is missing; the newer generation needs ${newer.join(' and ')}, or neither`,
    ),
    ...(!isMissing('WEBHOOK_SECRET') && newer.every(isMissing)
      ? [
          `WEBHOOK_SECRET: needs ${newer.join(' and ')}, because the payment that a signed notification names is fetched there`,
        ]
      : []),
  ];
}

/** A decision about money, a refused notification and a failed job are lines of `info`, `warn` and `error`. */
function lackOfLog(given: Given): string[] {
  const level = given['LOG_LEVEL'];
  if (level !== 'silent' && level !== 'fatal') return [];
  return ['LOG_LEVEL: hides refused notifications, decisions and failures; use info, or warn'];
}
