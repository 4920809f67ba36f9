// Job `send-notices`: tells NOTICE_URL about new cases for a person, once a minute at most for each kind. A case is told at
// least once: its id is written after its message was delivered. One that is decided before is not told.

import { postTo } from '../../core/events/post-event';
import type { Context } from '../../platform/context';
import { findCases, MOST_READ, type Cases } from './find-cases';
import { claimNotice, findNotices, saveNotice } from './notice-store';
import { noticeUrlOf } from './settings';

/** Less than the time between two runs, so that a run that begins a little early sends, too. */
const BETWEEN_MS = 55_000;
/** Ids that are kept of a kind, in case of a flood that nobody decides about. The oldest are forgotten. */
const MOST_TOLD = 5 * MOST_READ;
/** Messages are sent at once, and a chat service answers within a second. */
const TIMEOUT_MS = 5_000;

/**
 * @param timeoutMs of each message
 * @throws DatabaseError; the next run then tells all
 */
export async function sendNotices(context: Context, timeoutMs = TIMEOUT_MS): Promise<void> {
  const url = noticeUrlOf(context.config);
  if (url === undefined) return;
  const notices = await findNotices(context);
  const cases = await findCases(context);
  const toldOf = (kind: string) => notices.find((notice) => notice.kind === kind)?.told ?? [];
  await Promise.all(cases.map((each) => tell(context, { url, timeoutMs }, each, toldOf(each.kind))));
}

async function tell(
  context: Context,
  receiver: { url: string; timeoutMs: number },
  cases: Cases,
  told: readonly string[],
): Promise<void> {
  const { kind, ids, hasMore } = cases;
  const known = new Set(told);
  const newIds = ids.filter((id) => !known.has(id));
  // If not all were read, one that is missing may still be open.
  const open = new Set(ids);
  const kept = hasMore ? told : told.filter((id) => open.has(id));
  if (newIds.length === 0) {
    if (kept.length < told.length) await saveNotice(context, kind, { told: kept, reason: null });
    return;
  }
  const { realClock, logger } = context;
  const triedBefore = new Date(realClock.now().getTime() - BETWEEN_MS);
  if (!(await claimNotice(context, kind, triedBefore))) return;
  const outcome = await postTo(context, {
    ...receiver,
    headers: {},
    body: JSON.stringify({ text: textOf(context, cases, newIds) }),
  });
  const reason = outcome?.reason ?? null;
  if (reason !== null) logger.warn({ event: 'notice_not_delivered', kind, cases: newIds.length, reason });
  await saveNotice(context, kind, {
    told: reason === null ? [...kept, ...newIds].slice(-MOST_TOLD) : null,
    reason,
  });
}

/** In both languages, because no setting says which one the readers of the chat speak. */
function textOf({ config }: Context, { name, hasMore, path }: Cases, newIds: readonly string[]): string {
  const count = newIds.length;
  const [ko, en] = hasMore ? [`${count}건 이상`, `${count} or more`] : [`${count}건`, String(count)];
  const lines = [
    `확인이 필요한 일 ${ko}: ${name.ko}`,
    `${en} new ${count === 1 ? 'case needs' : 'cases need'} a person: ${name.en}`,
  ];
  if (config.publicUrl !== null) lines.push(`${config.publicUrl}${path(newIds)}`);
  return lines.join('\n');
}
