// The fields that the requests of issuances, charges and refunds share: filters, and those of a decision.

import { keptLine, shownLine } from '../../platform/http/body-fields';
import { flag } from '../../platform/http/query';

/** A filter of every list of attempts. */
export const needsPersonField = flag
  .optional()
  .meta({ description: 'Whether it needs the decision of a person.' });

/** Length of the column; our choice. */
const MAX_NOTE_LENGTH = 500;

/** Who decides; `api` if not given. */
export const byField = shownLine(64).default('api').meta({ description: 'Who decides; `api` by default.' });

/** Who requests an operation that moves money; absent if not given. */
export const requesterField = shownLine(64)
  .optional()
  .meta({ description: 'Who requests it, such as a person or one of your systems. It is logged.' });

export const noteField = keptLine(MAX_NOTE_LENGTH).meta({ description: 'Why. It is stored and not logged.' });

export const decisionShape = { note: noteField, by: byField };

/** Ids of numbered rows. Any other text cannot be an id. */
export const isRowId = (id: string): boolean => /^[1-9]\d{0,17}$/.test(id);
