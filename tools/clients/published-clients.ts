// All clients that are run, each pinned to the version that was examined.

import { iamport } from './iamport';
import { iamporter } from './iamporter';
import type { PublishedClient } from './published-client';
import { restClientNodejs } from './rest-client-nodejs';
import { serverApi } from './server-api';

export const PUBLISHED_CLIENTS: readonly PublishedClient[] = [
  iamport,
  iamporter,
  restClientNodejs,
  serverApi,
];
