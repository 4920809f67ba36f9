// The scene of a request: the sandbox at the address where the request arrived, and the merchant that it knows.

import type { Request } from 'express';
import type { Service } from '../service';
import { findMerchantPlace } from '../stories/merchant-place';
import { createScene, type Places, type Scene } from '../stories/scene';

/** Uses the socket's address, because the Host header can be forged. */
export function placesOf({ socket }: Request, service: Service): Places {
  const { localAddress = '127.0.0.1', localPort = 0 } = socket;
  const address = localAddress.replace(/^::ffff:/, '');
  const host = address.includes(':') ? `[${address}]` : address;
  return { sandboxUrl: `http://${host}:${localPort}`, merchant: findMerchantPlace(service) };
}

export const sceneOf = (request: Request, service: Service): Scene => createScene(placesOf(request, service));
