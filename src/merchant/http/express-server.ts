// An HTTP server whose requests and responses are Express' own from the start. Express would otherwise give each of them
// another prototype when it arrives, after which V8 runs what touches them without some of its optimisations.

import { createServer, IncomingMessage, ServerResponse, type Server, type ServerOptions } from 'node:http';
import type { Express } from 'express';

/** @param onRequest is called before Express sees the request */
export function createExpressServer(
  app: Express,
  options: ServerOptions,
  onRequest: (response: ServerResponse) => void,
): Server {
  class Request extends IncomingMessage {}
  class Response extends ServerResponse<Request> {}
  Object.setPrototypeOf(Request.prototype, app.request);
  Object.setPrototypeOf(Response.prototype, app.response);
  // What Express would set is what is set already.
  app.request = Request.prototype as typeof app.request;
  app.response = Response.prototype as unknown as typeof app.response;
  const classes = { IncomingMessage: Request, ServerResponse: Response };
  return createServer({ ...options, ...classes } as ServerOptions, (request, response) => {
    onRequest(response);
    app(request, response);
  });
}
