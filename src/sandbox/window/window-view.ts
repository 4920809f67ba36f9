// The values that the payment window's templates show.

import type { Locale } from '../locales/ko';
import { keyUsage, walletOf } from '../payments/pay-in-window';
import type { Service } from '../service';
import { choicesOf } from './choose-outcome';
import { isFramed, type WindowProblem, type WindowRequest } from './window-request';

/** The methods that a person can choose, if the shop leaves it to the window. */
const METHODS = ['card', 'kakaopay', 'naverpay', 'tosspay'] as const;

export function viewWindow(service: Service, window: WindowRequest, { window: t, lang }: Locale) {
  const { settings, config, billingKeys } = service;
  const { amount, currency = 'KRW', notice_url, noticeUrls = notice_url } = window;
  const { webhook_url, webhook_before_redirect } = settings.get();
  const isNotified = noticeUrls !== undefined || webhook_url !== null;
  const money = amountText(amount, currency, lang);
  const seconds = Math.ceil(config.slowCardMs / 1000);
  const usage = keyUsage(billingKeys, window);
  const isFree = usage === 'issue' && amount === 0;
  const { pay_method = 'card' } = window;
  const fixed = walletOf(window) ?? (pay_method === 'card' ? undefined : pay_method);
  const facts = [
    [t.order, window.name],
    [t.orderNumber, window.merchant_uid],
    [t.buyer, [window.buyer_name, window.buyer_email].filter(Boolean).join(', ')],
    [t.payMethod, fixed && methodName(fixed, t)],
    [t.customerUid, window.customer_uid],
    [t.returnsTo, new URL(isFramed(window) ? window.callback_origin : window.return_url).host],
  ];
  return {
    money,
    facts: facts.filter(([, value]) => value).map(([name, value]) => ({ name, value })),
    notification: t.notifications[!isNotified ? 'none' : webhook_before_redirect ? 'first' : 'beside'],
    isFree,
    methods: fixed || usage === 'payment' ? [] : METHODS.map((value) => ({ value, name: t.methods[value] })),
    choices: choicesOf(service, window).map((choice) => {
      const { title, hint } = { ...t.choices, ...(isFree && t.registration) }[choice];
      return { value: choice, title: title(money), hint: hint(seconds) };
    }),
  };
}

/** The name of a method for a page; a method that we do not know by its code. */
export function methodName(method: string, { methods }: Locale['window']): string {
  return (methods as Record<string, string>)[method] ?? method;
}

/** A window with the required values only. It returns to the shop with which the sandbox was started. */
export function exampleWindow({ config: { webhookUrl } }: Service): string {
  const returnUrl = `${webhookUrl === undefined ? 'http://localhost:3000' : new URL(webhookUrl).origin}/`;
  return `/window?merchant_uid=order-1&amount=1000&return_url=${encodeURIComponent(returnUrl)}`;
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
