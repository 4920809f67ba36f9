// What the routes work with.

import type { Logger } from 'pino';
import type { PrismaClient } from './generated/prisma/client';
import type { PaymentService } from './payment-service';
import type { Settings } from './settings';

export type Context = { settings: Settings; database: PrismaClient; service: PaymentService; logger: Logger };
