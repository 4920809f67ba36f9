// A clock that a person can move, outside production only: a feature puts it in place of the host's.

import type { Clock } from './clock';
import type { Context } from './context';

/** A clock that a person can move. It exists outside production only. */
export type MovableClock = Clock & {
  /** How far it is ahead of the host's clock, in milliseconds. */
  aheadMs(): number;
  /** A post to this path of ours puts it back to the real time. `back` is the path to return to. */
  resetPath: string;
  /** Learns once how far it was moved, for a command. Never throws: without an answer it shows the real time. */
  learn(): Promise<void>;
  /** Learns it again and again, until the signal is aborted. Never throws. */
  follow(context: Context, signal: AbortSignal): Promise<void>;
};

export const isMovable = (clock: Clock): clock is MovableClock => 'aheadMs' in clock;
