// The fields that every decision of a person carries.

import { keptLine, textLine } from '../http/body-fields';

/** Of a column; our choice. */
const MAX_NOTE_LENGTH = 500;

/** Who decides; `api` where the caller names nobody. */
export const byField = textLine(64)
  .default('api')
  .meta({ description: 'Who decides; `api` where nobody is named.' });

export const noteField = keptLine(MAX_NOTE_LENGTH).meta({ description: 'Why. It is kept and not logged.' });

export const decisionShape = { note: noteField, by: byField };

/** Ids of rows that are numbered. Anything else is the id of no row. */
export const isRowId = (id: string): boolean => /^[1-9]\d{0,17}$/.test(id);
