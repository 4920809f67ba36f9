// Card testing raises the alerts of deploy/monitoring/alerts.yaml.

import { CARD_LIMITS } from '../../../../../src/merchant/options/card-form/card-limits';
import { attemptDeclined } from '../../../../../test/support/card-form/card-form';
import { startWorld } from '../../../../../test/support/world';
import { watch } from '../../../../proof/alerts/watched-world';

test('many declined cards raise an alert', async () => {
  const everybody = [{ attempts: 30, seconds: 3600 }];
  const declines = { ...CARD_LIMITS.declines, everybody };
  const limited = await startWorld({ constants: { cardLimits: { ...CARD_LIMITS, declines } } });
  try {
    const limitedWatch = watch(limited);
    await limitedWatch.pass(1);
    for (let host = 1; host <= 20; host += 1) await attemptDeclined(limited, `198.51.100.${host}`);
    await limitedWatch.pass(1);
    for (let card = 0; card < 11; card += 1) await attemptDeclined(limited);
    await limitedWatch.pass(1);
    const firing = limitedWatch.firing().filter((alert) => alert !== 'MerchantEventLoopBlocked');
    expect(firing).toEqual(['MerchantCardFormClosed', 'MerchantCardsTested']);
  } finally {
    await limited.close();
  }
});
