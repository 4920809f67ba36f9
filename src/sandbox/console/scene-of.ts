// The scene of a request: the sandbox as this process is reached, and the merchant that it knows.

import type { Request } from 'express';
import type { Service } from '../service';
import { findMerchantPlace } from '../stories/merchant-place';
import { createScene, type Places, type Scene } from '../stories/scene';

/** From the socket and not from the Host header, which anybody can write. */
export function placesOf({ socket }: Request, service: Service): Places {
  const { localAddress = '127.0.0.1', localPort = 0 } = socket;
  const address = localAddress.replace(/^::ffff:/, '');
  const host = address.includes(':') ? `[${address}]` : address;
  return { sandboxUrl: `http://${host}:${localPort}`, merchant: findMerchantPlace(service) };
}

export const sceneOf = (request: Request, service: Service): Scene => createScene(placesOf(request, service));
