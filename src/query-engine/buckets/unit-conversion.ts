import { copyFields, type Fields, readField, writeField } from '../event.ts';
import { readDuration } from '../time/relative-time.ts';
import { parseNumber, toText } from '../value.ts';

/** Changes the numbers in a row of a bucket. */
export type RowConversion = (row: Fields, spanMs: number) => Fields;

/** What to multiply by, given the span of a bucket. */
type Factor = (spanMs: number) => number;

const PREFIXES: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ...['K', 'M', 'G', 'T', 'P'].flatMap((letter, index): [string, number][] => [
    [letter, 1000 ** (index + 1)],
    [`${letter}i`, 1024 ** (index + 1)],
  ]),
  ['k', 1000],
]);

interface Rate {
  readonly unit: string;
  /** What the amount is divided by: a time in milliseconds, or the span. `undefined` when it is not a rate. */
  readonly perMs: Factor | undefined;
}

/**
 * Reads `"bytes/span to Kbytes/day"`. A text without " to ", such as "bytes" or "1/s", only labels the axis.
 *
 * @returns the conversion, `label` when there is nothing to convert, `undefined` when the text can't be read.
 */
export function readUnit(text: string): Factor | 'label' | undefined {
  const sides = text.trim().split(/\s+to\s+/);
  if (sides.length === 1) return 'label';
  const from = readRate(sides[0] ?? '');
  const to = readRate(sides[1] ?? '');
  if (sides.length !== 2 || from === undefined || to === undefined) return undefined;
  const scale = prefixFactor(from.unit, to.unit);
  if (scale === undefined || (from.perMs === undefined) !== (to.perMs === undefined)) return undefined;
  return (spanMs) => (scale * (to.perMs?.(spanMs) ?? 1)) / (from.perMs?.(spanMs) ?? 1);
}

function readRate(text: string): Rate | undefined {
  const [unit = '', time, ...more] = text.split('/').map((part) => part.trim());
  if (unit === '' || more.length > 0) return undefined;
  if (time === undefined) return { unit, perMs: undefined };
  if (time === 'span' || time === 'bucket') return { unit, perMs: (spanMs) => spanMs };
  const lengthMs = readDuration(/^\d/.test(time) ? time : `1${time}`);
  return lengthMs === undefined ? undefined : { unit, perMs: () => lengthMs };
}

/** From kB to B: 1000. The longest unit that both end in is the thing; what stands before it are prefixes. */
function prefixFactor(from: string, to: string): number | undefined {
  for (let length = Math.min(from.length, to.length); length > 0; length -= 1) {
    if (from.slice(-length) !== to.slice(-length)) continue;
    const ours = PREFIXES.get(from.slice(0, -length));
    const theirs = PREFIXES.get(to.slice(0, -length));
    if (ours !== undefined && theirs !== undefined) return ours / theirs;
  }
  return undefined;
}

/** Multiplies columns of a row; `label` and columns without a number stay as they are. */
export function convertColumns(
  columns: readonly { readonly name: string; readonly factor: Factor | 'label' }[],
): RowConversion {
  return (row, spanMs) => {
    const converted = copyFields(row);
    for (const { name, factor } of columns) {
      const number = parseNumber(readField(row, name) ?? '');
      const text = number !== undefined && factor !== 'label' ? toText(number * factor(spanMs)) : undefined;
      if (text !== undefined) writeField(converted, name, text);
    }
    return converted;
  };
}
