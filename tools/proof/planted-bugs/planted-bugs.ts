// Every planted bug. `npm run proof -- planted-bugs` plants one after the other in a copy of this repository.

import { CARD_BUGS } from './card-bugs';
import { MONEY_BUGS } from './money-bugs';
import { NOTIFICATION_BUGS } from './notification-bugs';
import { ROW_BUGS } from './row-bugs';

export const PLANTED_BUGS = [...NOTIFICATION_BUGS, ...MONEY_BUGS, ...CARD_BUGS, ...ROW_BUGS];
