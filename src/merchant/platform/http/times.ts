// The one form of times on the pages of each language: "2026. 11. 24. 06:30" and "Nov 24, 2026, 06:30". They are Korean
// times, as the service's.

type Times = {
  /** Without the year. */
  short: Intl.DateTimeFormat;
  usual: Intl.DateTimeFormat;
  /** To the second. */
  exact: Intl.DateTimeFormat;
  day: Intl.DateTimeFormat;
};

/** 24 hours, so that noon and midnight cannot be confused. */
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

/** Creating a format is expensive, so it is reused. */
const byLanguage = new Map<string, Times>();

export function timesIn(lang: string): Times {
  const known = byLanguage.get(lang);
  if (known) return known;
  // Koreans write the month as a number, and in English its order would be ambiguous.
  const date = { day: 'numeric', month: lang === 'ko' ? 'numeric' : 'short' } as const;
  const format = (parts: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(lang, { ...date, ...parts, timeZone: 'Asia/Seoul' });
  const made = {
    short: format(CLOCK),
    usual: format({ ...CLOCK, year: 'numeric' }),
    exact: format({ ...CLOCK, year: 'numeric', second: '2-digit' }),
    day: format({ year: 'numeric' }),
  };
  byLanguage.set(lang, made);
  return made;
}
