// How pages show amounts, times and card companies in the reader's language. Times are Korean times, as the service's.

/** The one form of times: "2026. 11. 24. 06:30" and "Nov 24, 2026, 06:30". */
type LanguageFormats = {
  number: Intl.NumberFormat;
  /** "3 hours ago". */
  relative: Intl.RelativeTimeFormat;
  /** A time without the year. */
  short: Intl.DateTimeFormat;
  usual: Intl.DateTimeFormat;
  /** To the second. */
  exact: Intl.DateTimeFormat;
  day: Intl.DateTimeFormat;
  month: Intl.DateTimeFormat;
};

/** 24 hours, so that noon and midnight cannot be confused. */
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

/** Creating a format is expensive, so it is reused. */
const byLanguage = new Map<string, LanguageFormats>();

export function formatsOf(lang: string): LanguageFormats {
  const known = byLanguage.get(lang);
  if (known) return known;
  // Koreans write the month as a number, and in English its order would be ambiguous.
  const date = { day: 'numeric', month: lang === 'ko' ? 'numeric' : 'short' } as const;
  const times = (parts: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(lang, { ...date, ...parts, timeZone: 'Asia/Seoul' });
  const made = {
    number: new Intl.NumberFormat(lang),
    relative: new Intl.RelativeTimeFormat(lang, { numeric: 'auto' }),
    short: times(CLOCK),
    usual: times({ ...CLOCK, year: 'numeric' }),
    exact: times({ ...CLOCK, year: 'numeric', second: '2-digit' }),
    day: times({ year: 'numeric' }),
    month: new Intl.DateTimeFormat(lang, { year: 'numeric', month: 'long', timeZone: 'Asia/Seoul' }),
  };
  byLanguage.set(lang, made);
  return made;
}

export type Money = { amount: bigint | number; currency?: string | null };

/**
 * Won in the notation of the language, another currency in the service's unit (§2.4). Currency null, if the service
 * omits it: only the number.
 */
export function formatMoney({ amount, currency = 'KRW' }: Money, lang: string): string {
  const number = formatsOf(lang).number.format(amount);
  if (currency !== 'KRW') return currency === null ? number : `${number} ${currency}`;
  return lang === 'ko' ? `${number}원` : number.replace(/^(-?)/, '$1₩');
}

/**
 * The payment service names card companies in Korean (`card_name`), also for foreign buyers: those of the document
 * (`card_code`), and banks that issue cards of their own or accounts to pay into.
 */
const ENGLISH_NAMES: Readonly<Record<string, string>> = {
  BC카드: 'BC Card',
  비씨카드: 'BC Card',
  KB국민카드: 'KB Kookmin Card',
  국민카드: 'KB Kookmin Card',
  현대카드: 'Hyundai Card',
  삼성카드: 'Samsung Card',
  롯데카드: 'Lotte Card',
  NH카드: 'NH Card',
  NH농협카드: 'NH Card',
  농협카드: 'NH Card',
  우리카드: 'Woori Card',
  하나카드: 'Hana Card',
  신한카드: 'Shinhan Card',
  수협카드: 'Suhyup Card',
  씨티카드: 'Citi Card',
  광주카드: 'Kwangju Card',
  전북카드: 'Jeonbuk Card',
  제주카드: 'Jeju Card',
  카카오뱅크카드: 'KakaoBank Card',
  케이뱅크카드: 'K bank Card',
  토스뱅크카드: 'Toss Bank Card',
  카카오페이: 'KakaoPay',
  네이버페이: 'Naver Pay',
  토스페이: 'Toss Pay',
  페이코: 'PAYCO',
  삼성페이: 'Samsung Pay',
  엘페이: 'L.pay',
  SSG페이: 'SSG Pay',
  국민은행: 'KB Kookmin Bank',
  기업은행: 'IBK',
  농협은행: 'NH Bank',
  우리은행: 'Woori Bank',
  하나은행: 'Hana Bank',
  신한은행: 'Shinhan Bank',
  부산은행: 'Busan Bank',
  우체국: 'Korea Post',
  카카오뱅크: 'KakaoBank',
  토스뱅크: 'Toss Bank',
};

/** @param name as the service writes it; one that is not in the table is returned unchanged */
export function issuerIn<Name extends string | null>(name: Name, lang: string): Name | string {
  if (name === null || lang !== 'en' || !Object.hasOwn(ENGLISH_NAMES, name)) return name;
  return ENGLISH_NAMES[name] ?? name;
}

/** Colours of our own on which white can be read. None is a card company's. */
const MARK_COLOURS = ['#3a4a6b', '#4a5a3c', '#6b3f4f', '#2f5d62', '#5c4a7a', '#6b5230'];

/** The picture beside a card: initials of its company on a colour that is always the same for it. */
export function cardMark(name: string | null): { letters: string; colour: string } {
  const shown = issuerIn(name, 'en') ?? '';
  const letters = /^[A-Z]{2,3}\b/i.exec(shown)?.[0] ?? shown.slice(0, 1);
  const sum = [...shown].reduce((total, letter) => (total * 31 + letter.charCodeAt(0)) % 9973, 0);
  return { letters: letters.toUpperCase(), colour: MARK_COLOURS[sum % MARK_COLOURS.length] ?? '' };
}
