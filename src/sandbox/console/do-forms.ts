// The forms of the console. The default values of each form succeed unchanged.

import type { Locale } from '../locales/ko';
import { windowPaymentSchema } from '../payments/pay-in-window';
import type { Payment } from '../payments/payment';
import { methodName } from '../window/window-view';

export type Field = {
  name: string;
  label: string;
  value: string;
  kind: 'text' | 'number' | 'select' | 'check' | 'hidden' | 'lines';
  options?: readonly (readonly [value: string, label: string])[];
};
export type Form = {
  id: string;
  title: string;
  lead: string;
  fields: Field[];
  /** Shown under "other values". */
  more: Field[];
  buttonName: 'outcome' | 'how';
  buttons: { value: string; label: string }[];
};

type FieldName = keyof Locale['console']['fields'];

/** Fields of the window's payment that other forms have, and the alias of `notice_url`. */
const ELSEWHERE = ['merchant_uid', 'amount', 'outcome', 'noticeUrls'] as const;
const METHODS = ['card', 'trans', 'vbank', 'phone', 'kakaopay', 'naverpay', 'tosspay', 'payco'];
const KEY_METHODS = ['kakaopay', 'naverpay', 'tosspay', 'card'];
const CURRENCIES = ['KRW', 'USD', 'EUR'];
const LOSABLE = [
  'GET /payments/:svc_uid',
  'POST /subscribe/payments/again',
  'POST /subscribe/payments/onetime',
  'POST /subscribe/customers/:customer_uid',
  'POST /payments/cancel',
  'POST /users/getToken',
];
/** A documentation address (RFC 5737), which a merchant must refuse. */
const FOREIGN_SOURCE = '203.0.113.9';

type Given = { newOrder: string; payments: Payment[]; canRegister: boolean };

export function doForms({ newOrder, payments, canRegister }: Given, { console: t, window }: Locale): Form[] {
  const field = (name: FieldName, value: string | number, kind: Field['kind'] = 'text'): Field => ({
    name,
    label: t.fields[name],
    value: String(value),
    kind,
  });
  const labelOf = (name: FieldName, value: string) =>
    name === 'pay_method' ? methodName(value, window) : value;
  const select = (name: FieldName, value: string, values: readonly string[]): Field => ({
    ...field(name, value, 'select'),
    options: values.map((each) => [each, each === '' ? t.usual : labelOf(name, each)] as const),
  });
  const yesNo = (name: FieldName): Field => ({
    ...field(name, '', 'select'),
    options: [
      ['', t.usual],
      ['true', t.yes],
      ['false', t.no],
    ] as const,
  });
  const chosen = (suits: (payment: Payment) => boolean): Field => ({
    ...field('svc_uid', '', 'select'),
    options: [
      ['', t.newPayment] as const,
      ...payments
        .filter(suits)
        .map(({ svcUid, merchantUid }) => [svcUid, `${merchantUid} · ${svcUid}`] as const),
    ],
  });
  const hiddenOrder: Field = { name: 'new_order', label: '', value: newOrder, kind: 'hidden' };
  const register: Field[] = canRegister
    ? [{ name: 'register', label: t.register, value: 'on', kind: 'check' }]
    : [];
  const more: Record<string, Field> = {
    currency: select('currency', '', ['', ...CURRENCIES]),
    pay_method: select('pay_method', '', ['', ...METHODS]),
    channel: select('channel', '', ['', 'pc', 'mobile']),
    escrow: yesNo('escrow'),
    cash_receipt_issued: yesNo('cash_receipt_issued'),
    later_payments_fail: yesNo('later_payments_fail'),
    notify: yesNo('notify'),
  };
  const others = Object.keys(windowPaymentSchema.shape).filter(
    (name) => !(ELSEWHERE as readonly string[]).includes(name),
  ) as Exclude<keyof typeof windowPaymentSchema.shape, (typeof ELSEWHERE)[number]>[];
  const form = <Id extends keyof typeof t.forms>(
    id: Id,
    buttonName: Form['buttonName'],
    fields: Field[],
    hidden: Field[] = [],
  ): Form => ({
    id,
    ...t.forms[id],
    fields,
    more: hidden,
    buttonName,
    buttons: Object.entries(t.buttons[id]).map(([value, label]) => ({ value, label: String(label) })),
  });
  const order = [field('merchant_uid', newOrder), field('amount', 1000, 'number')];
  return [
    form(
      'pay',
      'outcome',
      [...order, ...register],
      others.map((name) => more[name] ?? field(name, '')),
    ),
    form('key', 'how', [
      field('customer_uid', `${newOrder}-key`),
      select('pay_method', 'kakaopay', KEY_METHODS),
      ...(canRegister ? [field('member_id', 'member-7')] : []),
      { ...hiddenOrder, name: 'merchant_uid' },
    ]),
    form('deposit', 'how', [
      chosen(({ status }) => status === 'ready'),
      { ...field('advance_seconds', '86400', 'select'), options: Object.entries(t.seconds) },
      hiddenOrder,
    ]),
    form('lost_notification', 'how', [...order, ...register]),
    form('lost_answer', 'how', [select('endpoint', LOSABLE[0] ?? '', LOSABLE), ...order, ...register]),
    form(
      'forge',
      'how',
      [chosen(() => true), field('amount', 100, 'number'), hiddenOrder],
      [
        select('currency', '', ['', ...CURRENCIES]),
        field('merchant_uid', `${newOrder}-x`),
        field('status', 'cancelled'),
        field('source', FOREIGN_SOURCE),
      ],
    ),
    form('again', 'how', [chosen(() => true), field('times', 5, 'number'), hiddenOrder]),
    form('cancel', 'how', [
      chosen(({ paidAt }) => paidAt > 0),
      field('amount', 3000, 'number'),
      field('reason', ''),
      hiddenOrder,
    ]),
    form('method', 'outcome', [
      field('merchant_uid', newOrder),
      field('amount', 25, 'number'),
      select('currency', 'USD', CURRENCIES),
      select('pay_method', 'kakaopay', METHODS),
      ...register,
    ]),
  ];
}
