// GET /window.js: the script with which a shop's page opens the payment window (§6.3), under the live service's name.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Router } from 'express';

const SCRIPT = readFileSync(join(__dirname, '../../../views/sandbox/browser-script.js'), 'utf8');
/** The last line passes the prefix to the script. */
const PREFIX = "})('svc');";

export function browserScriptRoute(namePrefix: string): Router {
  const routes = Router({ caseSensitive: true, strict: true });
  const script = SCRIPT.replace(PREFIX, PREFIX.replace('svc', namePrefix));
  routes.get('/window.js', (_request, response) => response.type('js').send(script));
  return routes;
}
