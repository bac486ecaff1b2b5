const HEIGHT = 8;
const EIGHTHS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const MAX_STRETCH = 8;

export interface StackOptions {
  /** The value at the top edge. */
  readonly top: number;
  readonly width: number;
  /** Character of each series where it fills a cell. */
  readonly fillOf: (index: number) => string;
  /** Paints text in the color of a series. */
  readonly paint: (index: number, text: string) => string;
}

/**
 * Columns eight rows high that stack the values of series, the first at the bottom; lines from top to bottom. If there
 * are more buckets than columns, each column shows the largest of its buckets.
 *
 * @param stacks the values of all series for each bucket; not negative.
 */
export function stackedColumns(stacks: readonly (readonly number[])[], options: StackOptions): string[] {
  const columns = fitted(stacks, options.width);
  return Array.from({ length: HEIGHT }, (_, line) => {
    const cells = columns.map((stack) => cellOf(stack, HEIGHT - 1 - line, options));
    return painted(cells, options.paint);
  });
}

function fitted(stacks: readonly (readonly number[])[], width: number): (readonly number[])[] {
  if (stacks.length <= width) {
    const times = Math.min(MAX_STRETCH, Math.floor(width / stacks.length));
    return stacks.flatMap((stack) => new Array<readonly number[]>(times).fill(stack));
  }
  return Array.from({ length: width }, (_, index) => {
    const from = Math.floor((index * stacks.length) / width);
    const to = Math.floor(((index + 1) * stacks.length) / width);
    return stacks.slice(from, to).reduce((most, stack) => (sumOf(stack) > sumOf(most) ? stack : most));
  });
}

function cellOf(stack: readonly number[], row: number, { top, fillOf }: StackOptions) {
  const height = (sumOf(stack) / top) * HEIGHT;
  const filled = Math.min(1, height - row);
  const series = seriesAt(stack, ((row + Math.max(0, filled) / 2) / HEIGHT) * top);
  if (filled === 1) return { text: fillOf(series), series };
  const eighths = Math.round(filled * 8);
  // Positive values are always visible.
  if (eighths <= 0 && !(row === 0 && height > 0)) return { text: ' ', series };
  return { text: EIGHTHS[Math.max(0, eighths - 1)]!, series };
}

/** The series at a value of a stack. */
function seriesAt(stack: readonly number[], value: number): number {
  let sum = 0;
  const index = stack.findIndex((part) => {
    sum += part;
    return part > 0 && value <= sum;
  });
  return Math.max(0, index);
}

function painted(cells: readonly ReturnType<typeof cellOf>[], paint: StackOptions['paint']): string {
  let line = '';
  for (let from = 0; from < cells.length; ) {
    const { series } = cells[from]!;
    let to = from;
    let text = '';
    while (to < cells.length && (cells[to]!.series === series || cells[to]!.text === ' '))
      text += cells[to++]!.text;
    line += text.trim() === '' ? text : paint(series, text);
    from = to;
  }
  return line;
}

export function sumOf(stack: readonly number[]): number {
  return stack.reduce((sum, part) => sum + part, 0);
}
