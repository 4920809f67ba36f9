import { onStage, createMerchantDatabase, startSandbox, startMerchant } from './stage';
import { readFileSync } from 'node:fs';
void onStage(async (stage) => {
  await createMerchantDatabase(stage);
  const sandbox = await startSandbox(stage);
  const t = performance.now();
  const m = await startMerchant(stage, sandbox);
  console.log('start ms', performance.now() - t);
  for (let i = 0; i < 3; i++) {
    const s = readFileSync(`/proc/${m.pid}/status`, 'utf8');
    console.log(/VmHWM.*/.exec(s)?.[0], /VmRSS.*/.exec(s)?.[0]);
    await new Promise((r) => setTimeout(r, 1500));
  }
});
