// The process of one client: loads its package from the folder where npm installed it, runs the operations, and prints the
// results as JSON.

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { play } from './play';
import { SECRET } from './published-client';
import { PUBLISHED_CLIENTS } from './published-clients';

async function main([name = '', folder = '', url = '']: string[]): Promise<void> {
  const published = PUBLISHED_CLIENTS.find((each) => each.name === name);
  if (!published) throw new Error(`there is no client ${name}`);
  const module: unknown = createRequire(join(folder, 'from.js'))(name);
  const connect = (secret: string) => published.connect(module, url, secret);
  const clients = { known: connect(SECRET), stranger: connect('another_secret') };
  process.stdout.write(JSON.stringify(await play(url, clients, published.settings)));
}

void main(process.argv.slice(2));
