// `npm run bench:profile-registration`: where the server spends its time while cards are registered, as V8's sampling
// profiler sees it. Arguments: [registrations] [connections]

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startMerchantProcess } from '../../test/support/merchant-process';
import {
  functionOf,
  monotonicMicroseconds,
  placeOf,
  printShares,
  readCpuProfile,
  timesBetween,
} from '../cpu-profile';
import { builtMerchant, createMerchantDatabase, keepFromReconciling, onStage, startSandbox } from '../stage';
import { openForms } from './registrations';
import { measure } from './send-requests';

const [COUNT = 500, CONNECTIONS = 16] = process.argv.slice(2).map(Number);
const WARM_UP = 100;

void onStage(async (stage) => {
  const profiles = join(stage.folder, 'profiles');
  mkdirSync(profiles);
  await keepFromReconciling(await createMerchantDatabase(stage));
  const sandbox = await startSandbox(stage);
  const environment = {
    DATABASE_URL: stage.databaseUrl('merchant'),
    SERVICE_BASE_URL: sandbox.url,
    SERVICE_V2_BASE_URL: sandbox.url,
    TRUSTED_PROXIES: '127.0.0.1',
  };
  const nodeFlags = ['--cpu-prof', `--cpu-prof-dir=${profiles}`];
  const merchant = await startMerchantProcess(environment, { root: builtMerchant(stage), nodeFlags });
  await measure(merchant, await openForms(merchant, WARM_UP), CONNECTIONS, 303);
  const forms = await openForms(merchant, COUNT);
  const from = monotonicMicroseconds();
  const figures = await measure(merchant, forms, CONNECTIONS, 303);
  const to = monotonicMicroseconds();
  await merchant.kill('SIGINT');
  process.stdout.write(
    `${COUNT} registrations over ${CONNECTIONS} connections: ${figures.cpu.toFixed(2)} ms CPU each\n\n`,
  );
  const busy = timesBetween(readCpuProfile(profiles, merchant.pid), from, to);
  printShares(busy, placeOf, 30);
  printShares(busy, functionOf, 40);
});
