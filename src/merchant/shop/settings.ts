// The settings of the shop's own files.

import { defineSettings, secrets } from '../platform/settings';

export const shopSettings = defineSettings({
  shape: { MEMBER_SECRET: secrets.describe('Signs the cookie of the built-in members.') },
  ownSecrets: ['MEMBER_SECRET'],
});
