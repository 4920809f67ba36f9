// The values that the payment window's templates show.

import type { Locale } from '../locales/ko';
import type { Service } from '../service';
import { WINDOW_CHOICES } from './choose-outcome';
import { isFramed, type WindowProblem, type WindowRequest } from './window-request';

export function viewWindow(
  { settings, config }: Service,
  window: WindowRequest,
  { window: t, lang }: Locale,
) {
  const { amount, currency = 'KRW', notice_url, noticeUrls = notice_url } = window;
  const { webhook_url, webhook_before_redirect } = settings.get();
  const isNotified = noticeUrls !== undefined || webhook_url !== null;
  const money = amountText(amount, currency, lang);
  const seconds = Math.ceil(config.slowCardMs / 1000);
  const facts = [
    [t.order, window.name],
    [t.orderNumber, window.merchant_uid],
    [t.buyer, [window.buyer_name, window.buyer_email].filter(Boolean).join(', ')],
    [t.payMethod, window.pay_method],
    [t.customerUid, window.customer_uid],
    [t.returnsTo, new URL(isFramed(window) ? window.callback_origin : window.return_url).host],
  ];
  return {
    money,
    facts: facts.filter(([, value]) => value).map(([name, value]) => ({ name, value })),
    notification: t.notifications[!isNotified ? 'none' : webhook_before_redirect ? 'first' : 'beside'],
    choices: WINDOW_CHOICES.map((choice) => ({
      value: choice,
      title: t.choices[choice].title(money),
      hint: t.choices[choice].hint(seconds),
    })),
  };
}

export function viewProblems(problems: WindowProblem[], { window: t }: Locale) {
  return problems.map(({ field, isMissing }) => ({
    field,
    text: `${isMissing ? t.missing : t.malformed}: ${t.rules[field]}`,
  }));
}

function amountText(amount: number, currency: string, lang: string): string {
  if (lang === 'ko' && currency === 'KRW') return `${amount.toLocaleString('ko')}원`;
  return amount.toLocaleString(lang, { style: 'currency', currency, maximumFractionDigits: 0 });
}
