// API keys with scopes, besides API_KEY: by API and operator page.

import type * as rows from '../../../generated/prisma/client';
import type { Feature } from '../../platform/http/feature-type';
import type { Columns } from '../../platform/personal-data';
import { KEY_PAGES, KEYS_PATH } from './key-pages';
import { keyErrors, keyRoutes } from './key-routes';
import { findCaller } from './manage-keys';
import { en } from './texts.en';
import { ko } from './texts.ko';

export const apiKeys: Feature = {
  name: 'api-keys',
  needs: ['operator'],
  errors: keyErrors,
  api: {
    'API keys': {
      description: 'Keys of this API for each of your systems, with the scopes that it needs.',
      routes: keyRoutes,
    },
  },
  findCaller,
  operatorPages: { path: KEYS_PATH, name: { ko: ko.title, en: en.title }, routes: KEY_PAGES },
  personalData: {
    api_keys: {
      id: 'stays',
      name: 'stays',
      hash: 'stays',
      scopes: 'stays',
      refundLimit: 'stays',
      createdAt: 'stays',
      lastUsedAt: 'stays',
      revokedAt: 'stays',
    } satisfies Columns<rows.ApiKey>,
  },
};
