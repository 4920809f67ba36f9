// The banner that `npm start` prints at the end: addresses, credentials and a test card, in aligned columns. Rows of removed
// options are left out.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { labelled } from '../merchant/cli/terminal';
import { curlCommand } from '../merchant/platform/http/route-description';
import { LINK_MINUTES } from '../merchant/platform/sign-in-link';
import { activeValue, type Environment, type LocalSettings } from './settings';

type Row = [label: string, value: string];
type Section = { title: string; rows: Row[] };

const has = (option: string) => existsSync(join(__dirname, '..', 'merchant', 'options', option));

/**
 * @param columns the maximum width
 * @param signInLink for the operator pages; null: it is not shown
 */
export function banner(
  { merchantPort, sandboxPort, databaseUrl }: LocalSettings,
  environment: Environment,
  columns = Infinity,
  signInLink: string | null = null,
): string {
  const value = (name: string) => environment[name] ?? '';
  const merchant = `http://localhost:${merchantPort}${value('PATH_PREFIX')}`;
  const sandbox = `http://localhost:${sandboxPort}`;
  const apiKey = activeValue(environment['API_KEY']);
  const sections: Section[] = [
    {
      title: 'Merchant',
      rows: [
        ...rowsIf(has('demo'), ['What is here', merchant]),
        ...rowsIf(has('card-form'), ['Card form', `${merchant}/cards/new`]),
        // The demo exists only with the sandbox.
        ...rowsIf(has('demo') && sandboxPort !== null, ['Demo shop', `${merchant}/demo`]),
        ['JSON API', `${merchant}/api`],
        ...rowsIf(has('api-docs'), ['API reference', `${merchant}/docs`]),
        ['API_KEY', apiKey],
        ...rowsIf(
          has('operator'),
          ['Operator pages', `${merchant}/operator`],
          ['OPERATOR_PASSWORD', activeValue(environment['OPERATOR_PASSWORD'])],
        ),
        ...rowsIf(has('operator') && signInLink !== null, [
          'Sign in by link',
          `${merchant}/operator/sign-in?link=${signInLink} (once, within ${LINK_MINUTES} minutes)`,
        ]),
        // DATABASE_URL may contain a password, so it is not shown.
        ['Database', databaseUrl === null ? value('DATABASE_URL') : 'as set by DATABASE_URL'],
      ],
    },
    sandboxPort === null
      ? { title: 'Payment service', rows: [['Service', value('SERVICE_BASE_URL')]] }
      : {
          title: 'Sandbox (replaces the payment service; no money moves)',
          rows: [
            ['Console', `${sandbox}/console`],
            ['Service', sandbox],
            ['SERVICE_KEY', value('SERVICE_KEY')],
            ['SERVICE_SECRET', value('SERVICE_SECRET')],
            ['SERVICE_API_KEY', value('SERVICE_API_KEY')],
            ...rowsIf(has('card-form'), [
              'Test card',
              '4242-4242-4242-4242 (any future expiry, any birth date and password digits)',
            ]),
          ],
        },
  ];
  const lines = [
    '  A first order:',
    ...firstCalls(merchant, sandboxPort === null ? null : sandbox, apiKey).flatMap(({ says, call }) => [
      `    # ${says}`,
      ...call.split('\n').map((line) => `    ${line}`),
    ]),
  ];
  return `\n${aligned(sections, columns)}\n\n${lines.join('\n')}\n\n  Ctrl-C stops everything; the next start finds the same data.\n`;
}

/** The calls of the README, with this machine's addresses and key. Not folded, so that they can be copied. */
function firstCalls(merchant: string, sandbox: string | null, apiKey: string) {
  const order = { merchant_uid: 'tea-1', name: 'Green tea', amount: 12_000 };
  const atMerchant = (method: string, path: string, body: object | null) => {
    const call = { method, path, needsKey: true, body: body && JSON.stringify(body) };
    return curlCommand(call, merchant).replace('$API_KEY', () => apiKey);
  };
  const payment = {
    method: 'POST',
    path: '/_sandbox/payments',
    needsKey: false,
    body: JSON.stringify(order),
  };
  return [
    { says: 'what you expect to be paid', call: atMerchant('POST', '/api/orders', order) },
    ...(sandbox === null
      ? []
      : [{ says: 'a member pays in the sandbox', call: curlCommand(payment, sandbox) }]),
    { says: 'a moment later it is paid', call: atMerchant('GET', '/api/orders/tea-1', null) },
  ];
}

const rowsIf = (isThere: boolean, ...rows: Row[]): Row[] => (isThere ? rows : []);

function aligned(sections: Section[], columns: number): string {
  const width = Math.max(...sections.flatMap(({ rows }) => rows.map(([label]) => label.length)));
  const blocks = sections.map(({ title, rows }) =>
    [`  ${title}`, ...rows.map(([label, value]) => labelled(`    ${label}`, value, columns, width + 4))].join(
      '\n',
    ),
  );
  return blocks.join('\n\n');
}
