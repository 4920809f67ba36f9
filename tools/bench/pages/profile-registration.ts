// `npm run bench -- profile-registration`: a CPU profile of the server while cards are registered, by V8's sampling profiler.
// Arguments: [registrations] [connections]

import { startMerchantProcess } from '../../../test/support/processes';
import { createProfiler } from '../cpu-profile';
import { builtMerchant, createMerchantDatabase, keepFromReconciling, onStage, startSandbox } from '../stage';
import { openForms } from './registrations';
import { measure } from './send-requests';

const [COUNT = 500, CONNECTIONS = 16] = process.argv.slice(2).map(Number);
const WARM_UP = 100;

void onStage(async (stage) => {
  const profiler = createProfiler(stage);
  await keepFromReconciling(await createMerchantDatabase(stage));
  const sandbox = await startSandbox(stage);
  const environment = {
    DATABASE_URL: stage.databaseUrl('merchant'),
    SERVICE_BASE_URL: sandbox.url,
    SERVICE_V2_BASE_URL: sandbox.url,
    TRUSTED_PROXIES: '127.0.0.1',
  };
  const { nodeFlags } = profiler;
  const merchant = await startMerchantProcess(environment, { root: builtMerchant(stage), nodeFlags });
  await measure(merchant, await openForms(merchant, WARM_UP), CONNECTIONS, 303);
  const forms = await openForms(merchant, COUNT);
  const figures = await profiler.during(() => measure(merchant, forms, CONNECTIONS, 303));
  await merchant.kill('SIGINT');
  process.stdout.write(
    `${COUNT} registrations over ${CONNECTIONS} connections: ${figures.cpu.toFixed(2)} ms CPU each\n\n`,
  );
  profiler.print(merchant.pid);
});
