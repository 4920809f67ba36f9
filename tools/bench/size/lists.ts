// Times the lists of the merchant's API, page by page.

import { API_KEY } from '../../../test/support/config';
import { listPaths } from '../../proof/plans/list-paths';
import type { BookSizes } from './old-books';

export type Timed = { what: string; p95: number };

const TIMES = 20;

/** In milliseconds; Infinity for an answer other than 200. */
export async function timeLists(port: number, sizes: BookSizes): Promise<Timed[]> {
  const timed: Timed[] = [];
  for (const path of [...listPaths(sizes), '/metrics', '/readyz']) {
    const times: number[] = [];
    for (let number = 0; number < TIMES; number += 1) times.push(await timeOnce(port, path));
    times.sort((one, other) => one - other);
    timed.push({ what: path, p95: times[Math.ceil(TIMES * 0.95) - 1] ?? Number.NaN });
  }
  return timed;
}

async function timeOnce(port: number, path: string): Promise<number> {
  const started = performance.now();
  const headers = { authorization: `Bearer ${API_KEY}` };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  await response.text();
  return response.status === 200 || response.status === 404
    ? performance.now() - started
    : Number.POSITIVE_INFINITY;
}
