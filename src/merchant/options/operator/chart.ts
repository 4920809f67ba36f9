// Stacked bars by day as shapes of an SVG, and the same numbers as rows of a table. Pure; the template draws them.

export type ChartPart = { name: string; values: readonly number[] };

export type Chart<Part> = {
  width: number;
  height: number;
  bars: {
    x: number;
    width: number;
    label: string;
    /** Whether there is room for its label: the last one has one. */
    isNamed: boolean;
    parts: { part: Part; y: number; height: number }[];
  }[];
  /** The greatest sum of a day; the scale ends there. */
  most: number;
};

const WIDTH = 360;
const HEIGHT = 150;
/** Below the bars, for the days. */
const FOOT = 22;
/** Above them, for the number of the scale. */
const HEAD = 16;
const GAP = 4;
const MOST_LABELS = 4;

/** @param parts each has a value for each label; what is less than 0 counts as 0 */
export function stackedBars<Part extends ChartPart>(
  labels: readonly string[],
  parts: readonly Part[],
): Chart<Part> {
  const value = (part: Part, index: number) => Math.max(0, part.values[index] ?? 0);
  const sums = labels.map((_, index) => parts.reduce((sum, part) => sum + value(part, index), 0));
  const most = Math.max(0, ...sums);
  const scale = most === 0 ? 0 : (HEIGHT - FOOT - HEAD) / most;
  const step = WIDTH / Math.max(1, labels.length);
  const bars = labels.map((label, index) => {
    let y = HEIGHT - FOOT;
    const drawn = parts.flatMap((part) => {
      const height = round(value(part, index) * scale);
      if (height === 0) return [];
      y = round(y - height);
      return [{ part, y, height }];
    });
    return {
      label,
      x: round(index * step + GAP / 2),
      width: round(Math.max(1, step - GAP)),
      isNamed: (labels.length - 1 - index) % Math.ceil(labels.length / MOST_LABELS) === 0,
      parts: drawn,
    };
  });
  return { width: WIDTH, height: HEIGHT, bars, most };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
