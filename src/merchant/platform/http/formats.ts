// Amounts and times as people write them in the language of a page.

/** Won as people write them in that language, another currency in the unit of the service (§2.4). */
export function formatMoney(
  { amount, currency = 'KRW' }: { amount: bigint | number; currency?: string },
  lang: string,
): string {
  const number = new Intl.NumberFormat(lang).format(amount);
  if (currency !== 'KRW') return `${number} ${currency}`;
  return lang === 'ko' ? `${number}원` : `₩${number}`;
}

/** By the clocks of Korea, in 24 hours: nobody mistakes noon for midnight. */
export function formatTime(time: Date, lang: string): string {
  const format = { dateStyle: 'long', timeStyle: 'short', hourCycle: 'h23', timeZone: 'Asia/Seoul' } as const;
  return new Intl.DateTimeFormat(lang, format).format(time);
}
