// The checks of `npm run doctor`. Each says what it found; none changes anything.

import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../clock';
import { DOCUMENTED_SOURCE_ADDRESSES, type Config } from '../config';
import type { Database } from '../database';
import { DatabaseFault, ServiceFault } from '../errors';
import { parseAddressList } from '../http/address-list';
import { pendingMigrations } from '../migrations';
import type { PaymentService } from '../payment-service/payment-service';
import { serviceSentence } from './command';

export type Check = {
  name: string;
  state: 'ok' | 'warning' | 'failed' | 'skipped';
  says: string;
  fix?: string;
};

const ROOT = join(__dirname, '..', '..', '..');
const LEGAL_PAGES = join(ROOT, 'views', 'merchant', 'legal');
const OLDEST_POSTGRESQL = 13;
/** Nothing depends on the host's clock being right; people who compare its log lines do. */
const MOST_SKEW_SECONDS = 30;

export async function checkNode(version = process.versions.node): Promise<Check> {
  const { engines } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
    engines: { node: string };
  };
  const wanted = engines.node.replace(/[^\d.]/g, '');
  const fits = version.localeCompare(wanted, 'en', { numeric: true }) >= 0;
  if (fits) return { name: 'node', state: 'ok', says: version };
  return {
    name: 'node',
    state: 'failed',
    says: `${version}, needed is ${engines.node}`,
    fix: 'See https://nodejs.org.',
  };
}

export async function checkDatabase(
  database: Pick<Database, '$queryRaw' | '$queryRawUnsafe'>,
): Promise<Check[]> {
  try {
    const [server] = await database.$queryRaw<
      { version: string }[]
    >`select current_setting('server_version') as version`;
    const version = server?.version ?? '0';
    const state = Number.parseInt(version, 10) >= OLDEST_POSTGRESQL ? 'ok' : 'failed';
    const fix = state === 'failed' ? { fix: `PostgreSQL ${OLDEST_POSTGRESQL} or newer is needed.` } : {};
    return [
      { name: 'database', state, says: `PostgreSQL ${version}`, ...fix },
      await checkMigrations(database),
    ];
  } catch (error) {
    if (!(error instanceof DatabaseFault)) throw error;
    const fix = 'Is it running, and is DATABASE_URL right? Without DATABASE_URL, npm start has to run.';
    return [{ name: 'database', state: 'failed', says: `does not answer (${error.code})`, fix }];
  }
}

async function checkMigrations(database: Pick<Database, '$queryRawUnsafe'>): Promise<Check> {
  const name = 'migrations';
  try {
    const pending = await pendingMigrations((sql) => database.$queryRawUnsafe(sql));
    if (pending.length === 0) return { name, state: 'ok', says: 'none is missing' };
    return { name, state: 'failed', says: `missing: ${pending.join(', ')}`, fix: 'Run npm run migrate.' };
  } catch (error) {
    if (error instanceof DatabaseFault) throw error;
    return { name, state: 'failed', says: (error as Error).message };
  }
}

type Service = Pick<PaymentService, 'getServerTime' | 'findNewerPayment'>;

/** §4.1 and §5.7: both generations sign in with credentials of their own. */
export async function checkService(service: Service, clock: Clock, config: Config): Promise<Check[]> {
  const { baseUrl, v2BaseUrl } = config.service;
  const checks: Check[] = [];
  try {
    const skew = Math.round((+clock.now() - +(await service.getServerTime())) / 1000);
    checks.push({
      name: 'service',
      state: 'ok',
      says: `${baseUrl} answers, SERVICE_KEY and SERVICE_SECRET are taken`,
    });
    checks.push({
      name: 'clock',
      state: Math.abs(skew) > MOST_SKEW_SECONDS ? 'warning' : 'ok',
      says:
        skew === 0
          ? 'as the service’s'
          : `${Math.abs(skew)} s ${skew > 0 ? 'ahead of' : 'behind'} the service’s`,
    });
  } catch (error) {
    checks.push(serviceCheck('service', error));
  }
  try {
    // Signs in, and then asks for a payment that nobody has made.
    await service.findNewerPayment('doctor-asks-for-nothing');
    checks.push({ name: 'service v2', state: 'ok', says: `${v2BaseUrl} answers, SERVICE_API_KEY is taken` });
  } catch (error) {
    checks.push(serviceCheck('service v2', error));
  }
  return checks;
}

function serviceCheck(name: string, error: unknown): Check {
  if (!(error instanceof ServiceFault)) throw error;
  return { name, state: 'failed', says: serviceSentence(error) };
}

/**
 * What the webhook lets in (§6.3), asked from this machine with a body that means nothing, so that nothing is stored.
 * Whoever is refused gets 403, whoever is let in 400.
 */
export async function checkWebhook(config: Config): Promise<Check[]> {
  const { sourceAddresses, sourceCheck } = config.webhook;
  const { list } = parseAddressList(sourceAddresses);
  const left = DOCUMENTED_SOURCE_ADDRESSES.filter((address) => !list.includes(address));
  const addresses: Check =
    left.length === 0
      ? { name: 'source list', state: 'ok', says: sourceAddresses.join(', ') }
      : {
          name: 'source list',
          state: 'warning',
          says: `${left.join(', ')} of §6.3 not listed`,
          fix: 'Add to WEBHOOK_SOURCE_ADDRESSES, unless the service has told you its new addresses.',
        };
  return [addresses, await askWebhook(config.port, sourceCheck === 'observe', config.trustedProxies)];
}

async function askWebhook(
  port: number,
  observes: boolean,
  trustedProxies: readonly string[],
): Promise<Check> {
  const name = 'webhook';
  const url = `http://127.0.0.1:${port}/webhooks/payments`;
  try {
    const [direct, genuine, foreign] = [
      await ask(url),
      await ask(url, '52.78.100.19'),
      await ask(url, '203.0.113.7'),
    ];
    const proxies = trustedProxies.length > 0 ? trustedProxies.join(', ') : 'none';
    const seen = `from here ${word(direct)}; as 52.78.100.19 through a proxy here ${word(genuine)}; as 203.0.113.7 ${word(foreign)}; trusted proxies: ${proxies}`;
    if (observes)
      return {
        name,
        state: 'warning',
        says: `lets every source in: ${seen}`,
        fix: 'Set WEBHOOK_SOURCE_CHECK=enforce.',
      };
    if (foreign === 403) return { name, state: 'ok', says: seen };
    return { name, state: 'failed', says: seen, fix: 'Check WEBHOOK_SOURCE_ADDRESSES and TRUSTED_PROXIES.' };
  } catch {
    return {
      name,
      state: 'skipped',
      says: `nothing listens on port ${port}: start the server and run this again`,
    };
  }
}

async function ask(url: string, forwardedFor?: string): Promise<number> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }),
    },
    body: '{}',
    signal: AbortSignal.timeout(5000),
  });
  await answer.arrayBuffer();
  return answer.status;
}

function word(status: number): string {
  if (status === 403) return 'refused';
  return status === 400 ? 'let in' : `answered ${status}`;
}

/** §1 asks for terms of use and a privacy policy; what is in brackets was left for the merchant to fill in. */
export async function checkLegalPages(production: boolean, folder = LEGAL_PAGES): Promise<Check> {
  const found: string[] = [];
  for (const file of (await readdir(folder)).sort()) {
    const text = (await readFile(join(folder, file), 'utf8')).replace(/<%[\s\S]*?%>/g, '');
    const placeholders = new Set(text.match(/\[[^\][<>\n]{1,60}\]/g) ?? []);
    if (placeholders.size > 0) found.push(`${file}: ${[...placeholders].join(' ')}`);
  }
  if (found.length === 0) return { name: 'legal pages', state: 'ok', says: 'no placeholder is left' };
  return {
    name: 'legal pages',
    state: production ? 'failed' : 'warning',
    says: `placeholders are left\n${found.join('\n')}`,
    fix: 'Fill them in, in views/merchant/legal, before a member sees them.',
  };
}
