// The parts of this folder, put together.

import type { RequestHandler } from 'express';
import { createMembers } from '../current-member';
import type { Dependencies } from '../dependencies';
import type { Views } from '../http/views';
import { createBillingKeyApiRoutes } from './billing-key-api-routes';
import { createBillingKeyStore } from './billing-key-store';
import { createCardRoutes } from './card-routes';
import { createIssuanceJobs } from './issuance-jobs';
import { createLegalRoutes } from './legal-routes';
import { createRegisterCard } from './register-card';
import { createRemoveCard } from './remove-card';
import { createResolveIssuance } from './resolve-issuance';

type Others = {
  views: Views;
  pageGuard: RequestHandler;
  /** Whether nothing is planned with a key any more (`schedules/revoke-all.ts`). */
  revokeSchedules: (customerUid: string) => Promise<boolean>;
};

export function composeCards(dependencies: Dependencies, { views, pageGuard, revokeSchedules }: Others) {
  const { config, database, service, schedule, clock, logger } = dependencies;
  const issuance = { store: createBillingKeyStore(database), service, schedule, clock, logger };
  const jobs = createIssuanceJobs({ ...issuance, resolveIssuance: createResolveIssuance(issuance) });
  return {
    pageRoutes: [
      createCardRoutes({
        config,
        clock,
        members: createMembers(config),
        views,
        store: issuance.store,
        registerCard: createRegisterCard(issuance),
        removeCard: createRemoveCard({ ...issuance, revokeSchedules }),
        pageGuard,
      }),
      createLegalRoutes({ views, pageGuard }),
    ],
    apiRoutes: [createBillingKeyApiRoutes({ service, store: issuance.store })],
    tasks: {
      'resolve-issuance': (payload: unknown) => jobs.resolve(payload),
      'resolve-open-issuances': () => jobs.resolveOpen(),
    },
  };
}
