// All schedules. Every change is passed to the journal.

import type { Schedule, ScheduleStatus } from './schedule';

type ScheduleQuery = {
  from: number;
  to: number;
  status?: ScheduleStatus | undefined;
  customerUid?: string | undefined;
};

export type ScheduleStore = {
  /** Adds all or none. */
  add(drafts: Omit<Schedule, 'id'>[]): Schedule[];
  change(schedule: Schedule, change: Partial<Schedule>): void;
  /** Sorted by `scheduleAt`, the oldest first. `from` is inside the range, `to` is not (§4.8). */
  find(query: ScheduleQuery): Schedule[];
  /** Returns the newest schedule of the order. */
  ofOrder(merchantUid: string): Schedule | undefined;
  restore(schedule: Schedule): void;
  clear(): void;
};

/** If `onChange` throws, the change is not made. */
export function createScheduleStore(onChange: (schedules: Schedule[]) => void): ScheduleStore {
  const schedules = new Map<number, Schedule>();
  const newestOfOrder = new Map<string, Schedule>();
  let lastId = 0;

  function restore(schedule: Schedule) {
    schedules.set(schedule.id, schedule);
    newestOfOrder.set(schedule.merchantUid, schedule);
    lastId = Math.max(lastId, schedule.id);
  }

  return {
    restore,
    add(drafts) {
      const added = drafts.map((draft, index) => ({ id: lastId + 1 + index, ...draft }));
      onChange(added);
      added.forEach(restore);
      return added;
    },
    change(schedule, change) {
      onChange([{ ...schedule, ...change }]);
      Object.assign(schedule, change);
    },
    find: ({ from, to, status, customerUid }) =>
      [...schedules.values()]
        .filter(({ scheduleAt }) => scheduleAt >= from && scheduleAt < to)
        .filter((each) => status === undefined || each.status === status)
        .filter((each) => customerUid === undefined || each.customerUid === customerUid)
        .sort((one, other) => one.scheduleAt - other.scheduleAt || one.id - other.id),
    ofOrder: (merchantUid) => newestOfOrder.get(merchantUid),
    clear() {
      schedules.clear();
      newestOfOrder.clear();
    },
  };
}
