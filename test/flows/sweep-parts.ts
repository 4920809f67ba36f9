// The sweep beside a world's own merchant, with what a test may want to turn: the host's clock.

import { openMerchant } from '../../src/merchant/cli/open-merchant';
import { loadConfig } from '../../src/merchant/config';
import { API_KEY, NAME_PREFIX, type World } from '../support/world';

/** The settings under which the commands and a second merchant meet the world. */
export function environmentOf(world: World): Record<string, string> {
  return {
    HOST: '127.0.0.1',
    PORT: '0',
    DATABASE_URL: world.databaseUrl,
    SERVICE_BASE_URL: world.sandbox.url,
    SERVICE_V2_BASE_URL: world.sandbox.url,
    SERVICE_NAME_PREFIX: NAME_PREFIX,
    TRUSTED_PROXIES: '127.0.0.1,::1',
    FORM_SECRET: 'form-secret-of-the-tests-0123',
    API_KEY,
    OPERATOR_PASSWORD: 'operator-password-of-the-tests',
  };
}

export function openSweep(world: World, { hostOffBySeconds = 0 } = {}) {
  const now = () => new Date(world.clock.nowMs() + hostOffBySeconds * 1000);
  return openMerchant({
    config: loadConfig(environmentOf(world)),
    clock: { ...world.clock, now },
    logger: world.log.logger,
  });
}

/** The job, as the engine runs it every five minutes. */
export async function runSweepJob(world: World): Promise<void> {
  await world.rows.query(`select graphile_worker.add_job('sweep', run_at := 'epoch')`);
  await world.advance(0);
}

/** Orders as they stand after `POST /api/orders`, many at once. */
export async function registerOrders(
  world: World,
  merchantUids: readonly string[],
  amount = 1000,
): Promise<void> {
  await world.rows.query(
    `insert into orders (merchant_uid, name, amount, currency, created_at, updated_at)
     select uid, 'Tea', $2, 'KRW', $3, $3 from jsonb_array_elements_text($1::jsonb) as uids (uid)`,
    [JSON.stringify(merchantUids), amount, world.clock.now()],
  );
}

/** A world as it was at the beginning, in less time than a new one takes. */
export async function beginAnew(world: World): Promise<void> {
  await world.sandbox.call('POST', '/reset');
  await world.sandbox.settings({ webhook_url: `${world.url}/webhooks/payments` });
  await world.rows.query(
    'truncate orders, payments, notifications, discrepancies, sweep_positions, sweep_differences cascade',
  );
}
