// The names of card companies for readers of English. The payment service names them in Korean (`card_name`), also for
// foreign buyers. The companies are those of the document (`card_code`) and the banks that issue cards of their own.

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
};

/** @param name as the service writes it; one that is not in the table is returned unchanged */
export function issuerIn<Name extends string | null>(name: Name, lang: string): Name | string {
  if (name === null || lang !== 'en' || !Object.hasOwn(ENGLISH_NAMES, name)) return name;
  return ENGLISH_NAMES[name] ?? name;
}
