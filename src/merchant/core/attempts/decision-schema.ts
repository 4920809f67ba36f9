// The fields that every decision of a person carries.

import { keptLine, shownLine } from '../../platform/http/body-fields';

/** Of a column; our choice. */
const MAX_NOTE_LENGTH = 500;

/** Who decides; `api` where the caller names nobody. */
export const byField = shownLine(64)
  .default('api')
  .meta({ description: 'Who decides; `api` where nobody is named.' });

/** Who asks for something that moves money; nobody where the caller names none. */
export const requesterField = shownLine(64)
  .optional()
  .meta({ description: 'Who asks for it, such as a person or a system of yours. It is logged.' });

export const noteField = keptLine(MAX_NOTE_LENGTH).meta({ description: 'Why. It is kept and not logged.' });

export const decisionShape = { note: noteField, by: byField };

/** Ids of rows that are numbered. Anything else is the id of no row. */
export const isRowId = (id: string): boolean => /^[1-9]\d{0,17}$/.test(id);
