// `npm run doctor`: whether this merchant can work, as far as this machine can tell.

import { join, relative } from 'node:path';
import { eventReceiver } from '../core/events/settings';
import { webhookUrl } from '../core/webhooks/webhook-path';
import { FEATURES } from '../features';
import { ConfigError, type Config } from '../platform/config';
import type { Context } from '../platform/context';
import { settingsNotRead } from '../platform/environment';
import type { Feature } from '../platform/http/feature-type';
import { problemsInProduction, SETTING_NAMES } from '../settings';
import { checkDatabase } from './check-database';
import { checkFirstPayment, YOUR_HOST } from './check-first-payment';
import { checkPublic } from './check-public';
import { checkPublicPages } from './check-public-pages';
import { checkService } from './check-service';
import { checkOrderEvents, checkShop } from './check-shop';
import { checkWebhook } from './check-webhook';
import { runCommand, type Command, type CommandResult } from './command';
import {
  checkDatabaseTransport,
  checkLegalPages,
  checkMode,
  checkNames,
  checkNode,
  type Check,
} from './doctor-checks';
import { labelled, type Terminal } from './terminal';
import { withContext } from './with-context';

export const command: Command = {
  name: 'npm run doctor --',
  description: `Checks Node, settings, database, migrations, the payment service, its
credentials and clock, which senders the webhook accepts, and the legal pages.
Changes nothing. Asks the running server on PORT, if there is one. In
production it also checks whether PUBLIC_URL leads here, and whether the
address of a sender arrives.`,
  exitCodes: `0 no check failed (there may be warnings and steps by hand); 1 a
check failed; 2 wrong arguments.`,
  define: (program, run) =>
    program
      .option(
        '--live',
        'the checklist for going live (docs/04-going-live.md): also TLS, the pages, your own files, ORDER_EVENTS_URL, the test button, the first payment and its refund, and what you have to check ("by hand")',
      )
      .action(({ live = false }: { live?: boolean }) =>
        run(async ({ terminal }) => {
          const checks = [await checkNode(), ...(await checkWithSettings(live))];
          return toResult(checks.map(withCommandsOfHere), terminal);
        }),
      ),
};

/** Little else can be checked without valid settings. */
async function checkWithSettings(live: boolean): Promise<Check[]> {
  try {
    return await withContext((context) => checkAll(context, live));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const fix =
      live || IS_COMPILED
        ? 'The reference of the settings (.env.example) says what each of them is; npm run secrets prints them with new secrets.'
        : 'To try it on this machine, run npm start, and run this again while it runs.';
    return [
      { name: 'settings', state: 'failed', says: error.message, fix },
      ...(live ? [await checkLegalPages(true), ...checkShop(false), ...byHand(null)] : []),
    ];
  }
}

async function checkAll(context: Context, live: boolean): Promise<Check[]> {
  const { config } = context;
  return [
    checkMode(config),
    ...checkNames(settingsNotRead(SETTING_NAMES)),
    ...(live ? checkProduction(config) : []),
    ...checkDatabaseTransport(config),
    ...(await checkDatabase(context)),
    ...(await checkService(context)),
    ...(await checkWebhook(config)),
    ...(await checkPublic(config)),
    await checkLegalPages(config.production || live),
    ...(live ? await liveChecks(context) : []),
  ];
}

/** In the order of docs/04-going-live.md. */
async function liveChecks(context: Context): Promise<Check[]> {
  const { config } = context;
  return [
    ...(await checkPublicPages(config)),
    ...checkShop(eventReceiver(config) !== null),
    { name: 'order events', ...(await checkOrderEvents(config)) },
    ...(await checkFirstPayment(context)),
    ...byHand(config.publicUrl),
  ];
}

/** Nothing is live outside production. Reports the settings that production still needs. */
function checkProduction({ production }: Config): Check[] {
  if (production) return [];
  const problems = problemsInProduction();
  const missing =
    problems.length > 0 ? `\nand these settings are not ready for production:\n${problems.join('\n')}` : '';
  return [
    {
      name: 'production',
      state: 'failed',
      says: `NODE_ENV is not production${missing}`,
      fix: 'Set NODE_ENV=production and the settings named here; .env.example explains them.',
    },
  ];
}

/**
 * What no program can check and a person must tick off. docs/04-going-live.md explains each item.
 * @param publicUrl null if PUBLIC_URL is not set yet
 */
function byHand(publicUrl: string | null): Check[] {
  const items: Record<string, ByHand> = {
    ...aboutCardData(FEATURES),
    console: [
      `in the service’s admin console, live settings: Endpoint URL ${webhookUrl(publicUrl ?? YOUR_HOST)}, content type application/json; requested from the service: up to five sends of a notification (§6.3, §6.5)`,
      'Enter the first two there; the service sets the third on request.',
    ],
    backups: [
      'the database is backed up, and a backup has been restored once',
      'Restore one into an empty database, and run npm run reconcile -- --dry-run on it.',
    ],
    alerts: [
      'a person is alerted when a decision is needed or notifications are refused',
      'docs/05-monitoring.md has the alert rules.',
    ],
  };
  return Object.entries(items).map(([name, [says, fix]]) => ({ name, state: 'by hand', says, fix }));
}

type ByHand = [says: string, fix: string];

/** Whether this server takes card numbers depends on what it is made of. */
export function aboutCardData(features: readonly Pick<Feature, 'cardEntry'>[]): Record<string, ByHand> {
  if (features.some(({ cardEntry }) => cardEntry !== undefined))
    return {
      contracts: [
        'a contract with a payment gateway that allows you to issue billing keys from your own card form (§1)',
        'Ask the service and the gateway: both review it, and so do the card companies.',
      ],
      'card data': [
        'card numbers pass through this server, so PCI DSS applies to it (SAQ D)',
        'Agree with your acquirer on the questionnaire. Without the card form it is shorter: docs/04-going-live.md.',
      ],
    };
  return {
    contracts: [
      'a contract with a payment gateway, whose payment window takes the cards (§1)',
      'Ask the service and the gateway.',
    ],
    'card data': [
      'no route of this server takes a card number, so the shortest questionnaire of PCI DSS is enough (SAQ A)',
      'Have your acquirer confirm it: docs/04-going-live.md.',
    ],
  };
}

/** The image has the compiled programs alone, without npm's scripts. */
const IS_COMPILED = __filename.endsWith('.js');

/** In a compiled copy, "npm run explain -- order-1" is "node src/merchant/cli/explain.js order-1". */
function withCommandsOfHere({ fix, ...check }: Check): Check {
  if (fix === undefined) return check;
  if (!IS_COMPILED) return { ...check, fix };
  const commands = fix.replaceAll(
    /npm run (?:tool -- )?([\w-]+)(?: --(?= ))?/g,
    (_, name: string) => `node ${relative(process.cwd(), fileOf(name))}`,
  );
  return { ...check, fix: commands };
}

/** The command of an option stands in its folder. */
function fileOf(name: string): string {
  const option = FEATURES.find(({ command: own }) => own === name);
  return option ? join(__dirname, '..', 'options', option.name, 'command.js') : join(__dirname, `${name}.js`);
}

const COLOURS = {
  ok: 'green',
  warning: 'yellow',
  failed: 'red',
  skipped: 'yellow',
  'by hand': 'bold',
} as const;

function toResult(checks: Check[], { columns, paint }: Terminal): CommandResult {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const lines = checks.flatMap(({ name, state, says, fix }) => {
    const head = `  ${state.padEnd(7)}  ${name.padEnd(width)}`;
    // The state comes first in the line, so that only it is coloured.
    const shown = labelled(head, says, columns).replace(state, () => paint(state, COLOURS[state]));
    return [shown, ...(fix === undefined ? [] : [labelled(' '.repeat(head.length), fix, columns)])];
  });
  const count = (wanted: Check['state']) => checks.filter(({ state }) => state === wanted).length;
  const [failed, byHand] = [count('failed'), count('by hand')];
  return {
    exitCode: failed > 0 ? 1 : 0,
    text: `${lines.map((line) => line.replace(/^\s*\n/, '')).join('\n')}\n\n  ${failed === 0 ? 'Nothing failed.' : `${failed} failed.`}${byHand > 0 ? ` ${byHand} by hand.` : ''}\n`,
    json: { ok: failed === 0, checks },
  };
}

if (require.main === module) void runCommand(command);
