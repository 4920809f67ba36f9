// How a page of the demo shop follows something in progress: it refreshes itself by a header, without JavaScript, and a
// link stops it.

import type { PageRequest } from '../../platform/http/page-request';
import { linkIn } from '../../platform/http/views';

type Request = PageRequest['request'];
type Response = PageRequest['response'];

const REFRESH_SECONDS = 2;
/** After a minute the reader refreshes by hand. */
const MOST_REFRESHES = 30;

type Following = {
  /** Null if the page does not refresh itself. */
  seconds: number | null;
  /** Whether the page has refreshed itself before: what it shows is news. */
  hasFollowed: boolean;
  /** The page without refreshes. */
  stop: string;
};

export function followPage(request: Request, response: Response, isInProgress: boolean): Following {
  const refreshes = countRefreshes(request);
  const stop = addressOf(request, MOST_REFRESHES);
  const hasFollowed = refreshes > 0;
  if (!isInProgress || refreshes >= MOST_REFRESHES) return { seconds: null, hasFollowed, stop };
  response.set('Refresh', `${REFRESH_SECONDS}; url=${linkIn(request, addressOf(request, refreshes + 1))}`);
  return { seconds: REFRESH_SECONDS, hasFollowed, stop };
}

const addressOf = (request: Request, refreshes: number) => `${request.path}?refreshed=${refreshes}`;

function countRefreshes({ query }: Request): number {
  const { refreshed } = query;
  return typeof refreshed === 'string' && /^\d{1,3}$/.test(refreshed) ? Number(refreshed) : 0;
}
