// Starts the server.

import type { AddressInfo } from 'node:net';
import { PrismaPg } from '@prisma/adapter-pg';
import { pino } from 'pino';
import { createApp } from './app';
import { PrismaClient } from './generated/prisma/client';
import { createPaymentService } from './payment-service';
import { readSettings } from './settings';

const settings = readSettings(process.env);
const logger = pino();
const database = new PrismaClient({ adapter: new PrismaPg({ connectionString: settings.DATABASE_URL }) });
const service = createPaymentService(settings);
const server = createApp({ settings, database, service, logger }).listen(settings.PORT, (error) => {
  if (error) throw error;
  logger.info({ port: (server.address() as AddressInfo).port }, 'listening');
});

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => server.close(() => void database.$disconnect().then(() => process.exit(0))));
