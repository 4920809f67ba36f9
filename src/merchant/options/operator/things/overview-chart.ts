// A bar for each day, as an SVG that the server makes: numbers for its attributes, so that it needs neither script nor style.

export type Chart = {
  /** In percent of the height, from above. */
  bars: { x: number; y: number; height: number }[];
  width: number;
  /** The value at the top of the chart. */
  top: number;
};

/** Of the width for a day. */
const STEP = 10;
const BAR = 7;

/** Null if all are 0, or if there is only one. */
export function chartOf(values: readonly number[]): Chart | null {
  const most = values.reduce((one, other) => Math.max(one, other), 0);
  if (most === 0 || values.length < 2) return null;
  const top = roundUp(most);
  return {
    bars: values.map((value, index) => {
      // A small amount is seen as well.
      const height = value === 0 ? 0 : Math.max(1, (value / top) * 100);
      return { x: index * STEP + (STEP - BAR) / 2, y: round(100 - height), height: round(height) };
    }),
    width: values.length * STEP,
    top,
  };
}

/** To a number whose half is as easy to read: 1, 2, 4, 6, 8 or 10 with zeros. */
function roundUp(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value));
  const digits = [1, 2, 4, 6, 8, 10].find((digit) => digit * unit >= value) ?? 10;
  return digits * unit;
}

const round = (value: number) => Math.round(value * 100) / 100;
