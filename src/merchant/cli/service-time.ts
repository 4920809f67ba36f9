// A time as the service and its merchants read it: in Korea.

const KST_MS = 9 * 3_600_000;

/** "2026-11-21 17:20:03 KST" */
export function serviceTime(date: Date): string {
  return `${new Date(+date + KST_MS).toISOString().slice(0, 19).replace('T', ' ')} KST`;
}
