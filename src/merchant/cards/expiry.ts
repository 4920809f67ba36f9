// The month a card ends, from the ways people write it to YYYY-MM (§2.2).

const MAX_YEARS_AHEAD = 20;
const KOREA_AHEAD_OF_UTC_MS = 9 * 3600 * 1000;

const WRITTEN = [
  /^(?<year>[0-9]{4})-(?<month>[0-9]{2})$/,
  /^(?<month>[0-9]{1,2}) {0,3}\/ {0,3}(?<year>[0-9]{2}|[0-9]{4})$/,
  /^(?<month>[0-9]{2})(?<year>[0-9]{2})$/,
];

export type ExpiryProblem = 'expiry_format' | 'expiry_past' | 'expiry_too_far';

/**
 * Takes `1230`, `12/30`, `12 / 2030`, `2030-12`, `1/30`. A card is good to the end of its month in Korea, so the month
 * is compared with the one that the passed time has there, wherever this runs.
 */
export function parseExpiry(text: string, now: Date): { value: string } | { problem: ExpiryProblem } {
  const written = WRITTEN.map((pattern) => pattern.exec(text)?.groups).find((groups) => groups);
  const month = Number(written?.['month']);
  const year = Number(written?.['year']?.padStart(4, '20'));
  if (!(month >= 1 && month <= 12)) return { problem: 'expiry_format' };
  const ahead = year * 12 + month - monthInKorea(now);
  if (ahead < 0) return { problem: 'expiry_past' };
  if (ahead > MAX_YEARS_AHEAD * 12) return { problem: 'expiry_too_far' };
  return { value: `${year}-${String(month).padStart(2, '0')}` };
}

function monthInKorea(now: Date): number {
  const there = new Date(now.getTime() + KOREA_AHEAD_OF_UTC_MS);
  return there.getUTCFullYear() * 12 + there.getUTCMonth() + 1;
}
