// GET /static/base.css of a shop that has a colour of its own: the file, and the shop's colours behind it. A file of its own
// would be one more request of every page, and a style in the page would need a weaker content policy.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Router } from 'express';
import type { Context } from '../context';
import { themeCss } from '../theme';
import { STATIC_FOLDERS } from './views';

/** In front of the files of /static. Without SHOP_COLOR it serves nothing. */
export function themeRoutes({ config }: Pick<Context, 'config'>): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const { color } = config.shop;
  if (color === null) return router;
  const css = `${readFileSync(join(String(STATIC_FOLDERS[0]), 'base.css'), 'utf8')}\n${themeCss(color)}`;
  const etag = `"${createHash('sha256').update(css).digest('base64url')}"`;
  router.get('/static/base.css', (_request, response) => {
    response.set({ 'Cache-Control': 'public, max-age=0', ETag: etag }).type('css').send(css);
  });
  return router;
}
