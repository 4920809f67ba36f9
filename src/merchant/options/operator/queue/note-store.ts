// Notes about orders and items that need a person, stored beside their rows. No API or program reads them.

import type { Note, NoteSubject } from '../../../../generated/prisma/client';
import type { Context } from '../../../platform/context';

export type NewNote = Pick<Note, 'subject' | 'subjectId' | 'writtenBy' | 'text'>;

export async function writeNote({ database, clock }: Context, note: NewNote): Promise<void> {
  await database.note.create({ data: { ...note, writtenAt: clock.now() } });
}

/** The notes about any of these rows, oldest first. */
export async function findNotes(
  { database }: Context,
  subjects: readonly { subject: NoteSubject; ids: readonly string[] }[],
): Promise<Note[]> {
  const asked = subjects.filter(({ ids }) => ids.length > 0);
  if (asked.length === 0) return [];
  return database.note.findMany({
    where: { OR: asked.map(({ subject, ids }) => ({ subject, subjectId: { in: [...ids] } })) },
    orderBy: { id: 'asc' },
  });
}
