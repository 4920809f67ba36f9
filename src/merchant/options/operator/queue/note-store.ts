// Notes about orders and items that need a person, stored beside their rows. No API or program reads them.

import { Prisma, type Note, type NoteSubject } from '../../../../generated/prisma/client';
import type { Context } from '../../../platform/context';

export type NewNote = Pick<Note, 'subject' | 'subjectId' | 'writtenBy' | 'text'>;

const TABLES: Record<NoteSubject, { name: string; key: string; toId: (id: string) => string | bigint }> = {
  discrepancy: { name: 'discrepancies', key: 'id', toId: BigInt },
  charge: { name: 'charges', key: 'id', toId: String },
  refund: { name: 'refunds', key: 'id', toId: BigInt },
  issuance: { name: 'billing_key_issuances', key: 'id', toId: BigInt },
  order: { name: 'orders', key: 'merchant_uid', toId: String },
};

/** Returns false if the row does not exist. */
export async function writeNote(
  { database, clock }: Context,
  { subject, subjectId, writtenBy, text }: NewNote,
): Promise<boolean> {
  const { name, key, toId } = TABLES[subject];
  const written = await database.$executeRaw`
    insert into notes (subject, subject_id, written_by, text, written_at)
    select ${subject}::note_subject, ${subjectId}, ${writtenBy}, ${text}, ${clock.now()}::timestamptz
    from ${Prisma.raw(name)} where ${Prisma.raw(key)} = ${toId(subjectId)}`;
  return written === 1;
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
