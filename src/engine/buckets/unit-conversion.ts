import { readDuration } from '../../core/duration.ts';
import { copyFields, type Fields, readNumber, writeField } from '../event.ts';
import { toText } from '../value.ts';

/** Converts the numbers in a bucket's row. */
export type RowConversion = (row: Fields, spanMs: number) => Fields;

/** A factor, given the span of a bucket. */
type Factor = (spanMs: number) => number;

const PREFIXES: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ...['K', 'M', 'G', 'T', 'P'].flatMap((letter, index): [string, number][] => [
    [letter, 1000 ** (index + 1)],
    [`${letter}i`, 1024 ** (index + 1)],
  ]),
  ['k', 1000],
]);

/** A unit such as `2Gi bytes`, which is 2 × 1024³ bytes. All parts are optional; the default is 1. */
interface Unit {
  readonly amount: number;
  /** The prefix and the base unit. */
  readonly name: string;
}

interface Rate {
  readonly unit: Unit;
  /** The divisor of a rate: milliseconds, or the span. `undefined` if it is not a rate. */
  readonly perMs: Factor | undefined;
}

/**
 * Parses `"bytes/span to Kbytes/day"`. Without " to ", the text is only a label ("bytes", "1/s"). Converting an amount
 * to a rate divides it by the span.
 *
 * @returns the conversion; `label` if there is nothing to convert; `undefined` if the text is invalid.
 */
export function readUnit(text: string): Factor | 'label' | undefined {
  const sides = text.trim().split(/\s+to\s+/);
  if (sides.length === 1) return 'label';
  const from = readRate(sides[0] ?? '');
  const to = readRate(sides[1] ?? '');
  if (sides.length !== 2 || from === undefined || to === undefined) return undefined;
  const scale = scaleBetween(from.unit, to.unit);
  if (scale === undefined || (from.perMs !== undefined && to.perMs === undefined)) return undefined;
  return (spanMs) => {
    const { perMs = perSpan } = from;
    return to.perMs === undefined ? scale : (scale * to.perMs(spanMs)) / perMs(spanMs);
  };
}

const perSpan: Factor = (spanMs) => spanMs;

function readRate(text: string): Rate | undefined {
  const [unit = '', time, ...more] = text.split('/').map((part) => part.trim());
  if (text === '' || more.length > 0) return undefined;
  if (time === undefined) return { unit: readAmount(unit), perMs: undefined };
  if (time === 'span' || time === 'bucket') return { unit: readAmount(unit), perMs: perSpan };
  const lengthMs = readDuration(/^\d/.test(time) ? time : `1${time}`);
  return lengthMs === undefined ? undefined : { unit: readAmount(unit), perMs: () => lengthMs };
}

function readAmount(text: string): Unit {
  const [, digits = '', name = ''] = /^(\d*)\s?(.*)$/.exec(text) ?? [];
  return { amount: digits === '' ? 1 : Number(digits), name };
}

/** From kB to B: 1000. The longest common ending is the base unit; what precedes it are prefixes. */
function scaleBetween(from: Unit, to: Unit): number | undefined {
  for (let length = Math.min(from.name.length, to.name.length); length >= 0; length -= 1) {
    if (length > 0 && from.name.slice(-length) !== to.name.slice(-length)) continue;
    const ours = prefixBefore(from.name, length);
    const theirs = prefixBefore(to.name, length);
    if (ours !== undefined && theirs !== undefined) return (from.amount * ours) / (to.amount * theirs);
  }
  return undefined;
}

/** A space may follow the prefix: `Mi bytes`. */
function prefixBefore(name: string, length: number): number | undefined {
  return PREFIXES.get(name.slice(0, name.length - length).trimEnd());
}

/** Multiplies columns of a row. Leaves `label` and values that are not numbers unchanged. */
export function convertColumns(
  columns: readonly { readonly name: string; readonly factor: Factor | 'label' }[],
): RowConversion {
  return (row, spanMs) => {
    const converted = copyFields(row);
    for (const { name, factor } of columns) {
      const number = readNumber(row, name);
      const text = number !== undefined && factor !== 'label' ? toText(number * factor(spanMs)) : undefined;
      if (text !== undefined) writeField(converted, name, text);
    }
    return converted;
  };
}
