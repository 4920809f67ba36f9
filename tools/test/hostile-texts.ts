// Texts that make a non-linear regular expression slow, and how long they take.

const BYTES = 16_000;
/** CPU time; the fastest of some runs, because of garbage collection. */
const RUNS = 25;
/**
 * Relative to plain passes over as many characters, so that the speed of the machine does not count. Far from both sides, so that its
 * load does not count either.
 */
export const MOST_PASSES = 300;
const PASSES = 3;
const FIRST_PASSES = 200;

const PLAIN = 'x'.repeat(BYTES);
let fastestPlainMs: number | undefined;

/** The beginnings of the texts of 16 kB that cost too many passes. */
export const slowTexts = (judge: (text: string) => unknown): string[] =>
  UNITS.flatMap(hostileTexts)
    .filter((text) => passesOf(() => judge(text)) >= MOST_PASSES)
    .map((text) => text.slice(0, 20));

/**
 * How many plain passes it costs, in the fastest of some runs: one fast run is enough. The first run is compared with the fastest
 * plain pass ever seen, which is the strictest comparison, so most texts need no plain passes of their own.
 */
export function passesOf(act: () => unknown): number {
  fastestPlainMs ??= plainPassMs(FIRST_PASSES);
  let fewest = cpuMs(act) / fastestPlainMs;
  for (let run = 1; run < RUNS && fewest >= MOST_PASSES; run += 1)
    fewest = Math.min(fewest, cpuMs(act) / plainPassMs(PASSES));
  return fewest;
}

/** The fastest of some plain passes. */
function plainPassMs(passes: number): number {
  return Math.min(...Array.from({ length: passes }, () => cpuMs(() => [...PLAIN])));
}

function cpuMs(act: () => unknown): number {
  const before = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

export const UNITS = [
  ...' -./:,;=&%"<>[]{(*+@aZ09_\\\n\t\u0000가９',
  '\r\n',
  '\u001b[',
  '%2e',
  '1-',
  '0.',
  'a.',
  ' /',
  '1 ',
];

/** A repeated unit, with a part that does not match at the beginning, at the end, or nowhere. */
export function hostileTexts(unit: string): string[] {
  const text = unit.repeat(Math.ceil(BYTES / unit.length)).slice(0, BYTES);
  return [`${text}\u0001`, `4${text}!`, `\u0001${text}`];
}
