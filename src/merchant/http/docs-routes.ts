// GET /docs: the API description for people, from the document that /openapi.json serves. Our choice is a page of our own
// views in place of a viewer made of scripts: it works under the content policy of every page, without JavaScript and
// with a screen reader. It needs no key and says nothing secret.

import { Router, type Request } from 'express';
import type { Config } from '../config';
import type { Context } from '../context';
import type { TaggedRoute } from './api-tags';
import { curlCommand, docsPage, rangeText, textParts, type DocsPage, type ExampleRequest } from './docs-page';
import { openapiDocument } from './openapi-document';
import { originCheck } from './origin-check';
import type { Views } from './views';

export function docsRoutes({ config }: Context, views: Views, described: readonly TaggedRoute[]): Router {
  const router = Router({ strict: true, caseSensitive: true });
  let page: DocsPage | undefined;
  router.get('/docs', originCheck(config), (request, response) => {
    page ??= docsPage(openapiDocument(described, config.publicOrigin));
    const origin = ownOrigin(request, config);
    views.send(request, response, {
      status: 200,
      template: 'docs',
      title: ({ docs }) => docs.title,
      data: {
        ...page,
        textParts,
        rangeText,
        curl: (example: ExampleRequest) => curlCommand(example, origin),
      },
    });
  });
  return router;
}

/** Under which the reader has opened the page: the origin check has let the host in. */
function ownOrigin({ protocol, headers }: Request, { publicOrigin }: Pick<Config, 'publicOrigin'>): string {
  return publicOrigin ?? new URL(`${protocol}://${headers.host}`).origin;
}
