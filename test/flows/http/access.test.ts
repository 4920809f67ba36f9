// Each route is known to the table of test/support/route-access.ts, and one that is not open to everybody refuses a stranger.

import { merchantRoutes } from '../../support/all-routes';
import { createMemberBrowser } from '../../support/browsers';
import { ROUTE_ACCESS, type RouteAccess } from '../../support/route-access';
import { expectNoEffect } from '../../support/rows';
import { useWorld } from '../../support/use-world';

const world = useWorld();
const named = ({ method, path }: { method: string; path: string }) => `${method.toUpperCase()} ${path}`;

test('every route stands in the table of who may use it, and the table has no other', () => {
  expect(ROUTE_ACCESS.map(named).sort()).toEqual(merchantRoutes().map(named).sort());
});

test('a stranger can use no route of the JSON API and no operator page, and changes nothing', async () => {
  const stranger = createMemberBrowser(world);
  const closed = ROUTE_ACCESS.filter(({ access }) => !['open', 'member', 'metrics'].includes(access));
  expect(closed.length).toBeGreaterThan(20);
  const answers = await expectNoEffect(world, () =>
    Promise.all(
      closed.map(async (route) => {
        const path = route.path.replace(/\{\w+\}/g, '1');
        const isRead = route.method === 'get';
        const { status, location } = await (isRead ? stranger.get(path) : stranger.post(path, {}));
        return [named(route), status, location?.split('?')[0] ?? null];
      }),
    ),
  );
  const refusal = ({ method, path }: RouteAccess) => {
    if (!path.startsWith('/operator')) return [401, null];
    return method === 'get' ? [303, '/operator/sign-in'] : [403, null];
  };
  expect(answers).toEqual(closed.map((route) => [named(route), ...refusal(route)]));
});
