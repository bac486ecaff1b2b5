const HEIGHTS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/**
 * Numbers as a line of small columns, at most `width` of them: where there are more numbers, each column shows the
 * largest of its share, so that no peak gets lost. A number that is missing is a gap.
 */
export function sparkline(values: readonly (number | undefined)[], width: number): string {
  const peaks = peaksOf(values, width);
  const known = peaks.filter((value) => value !== undefined);
  const top = Math.max(...known, 0);
  const bottom = Math.min(...known, 0);
  return peaks.map((value) => (value === undefined ? ' ' : columnOf(value, bottom, top))).join('');
}

function peaksOf(values: readonly (number | undefined)[], width: number): (number | undefined)[] {
  if (values.length <= width) return [...values];
  return Array.from({ length: width }, (_, index) => {
    const from = Math.floor((index * values.length) / width);
    const share = values.slice(from, Math.max(from + 1, Math.floor(((index + 1) * values.length) / width)));
    const known = share.filter((value) => value !== undefined);
    return known.length === 0 ? undefined : Math.max(...known);
  });
}

function columnOf(value: number, bottom: number, top: number): string {
  if (top === bottom) return HEIGHTS[0]!;
  return HEIGHTS[Math.round(((value - bottom) / (top - bottom)) * (HEIGHTS.length - 1))]!;
}
