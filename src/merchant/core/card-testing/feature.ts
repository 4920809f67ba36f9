// The rules against card testing: how often cards are tried, and what answers waves of declined cards.

import type * as rows from '../../../generated/prisma/client';
import { EVERY_FIVE_MINUTES } from '../../platform/clock';
import type { Feature } from '../../platform/http/feature-type';
import { deleteEmptyBuckets } from '../../platform/limit-store';
import type { Columns } from '../../platform/personal-data';
import { cardTryCounters } from './limit-card';
import { cardTestingSettings } from './settings';
import { waveCounters } from './watch-declines';

/**
 * Keyed hashes of member ids, addresses and card numbers, kept for at most a day. An erasure cannot tell whose they
 * are.
 */
const limitColumns = {
  card_limits: { key: 'stays', points: 'stays', expire: 'stays' } satisfies Columns<rows.CardLimit>,
};

export const cardTesting: Feature = {
  name: 'card-testing',
  settings: cardTestingSettings,
  jobs: [{ name: 'forget-card-attempts', crontab: EVERY_FIVE_MINUTES, priority: 3, run: deleteEmptyBuckets }],
  personalData: limitColumns,
  counters: { ...cardTryCounters, ...waveCounters },
};
