// The API description, for programs and for people.

import type { Feature } from '../../platform/http/feature-type';
import { docsRoutes, openapiDescription, openapiRoutes } from './docs-routes';
import { en } from './texts.en';
import { ko } from './texts.ko';

export const apiDocs: Feature = {
  name: 'api-docs',
  endpoints: ({ context, api }) => openapiRoutes(context, api),
  api: { health: { endpoints: [openapiDescription] } },
  pages: ({ context, views, api }) => docsRoutes(context, views, api),
  errorDocs: '/docs#error-',
  keptInside: ['/docs', '/openapi.json'],
  texts: { ko, en },
};
