import type { TimeZone } from '../../core/time-zone.ts';
import { PatternError } from '../pattern-error.ts';
import { compileTimeFormat, isTimeLetter } from '../time/time-text.ts';
import { parseNumber } from '../value.ts';
import { joinTexts } from './text-limit.ts';

/** Fills a format with values, `undefined` for a missing field. */
export type TextFormat = (values: readonly (string | undefined)[], zone: TimeZone) => string;

/** One `%…` of a format. */
interface Place {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
  readonly isHalf: boolean;
  readonly type: string;
  readonly timeLetter: string;
}

type Conversion = (value: string, place: Place, zone: TimeZone) => string | undefined;

const PLACE = /%(?:(\d+)\$|(<))?([-+ #0,]*)(\d+)?(?:\.(\d*))?(h?)([a-zA-Z%])/y;
const MAX_WIDTH = 10_000;
/** Maximum digits after the decimal point. */
const MAX_PRECISION = 9;
/** Longer integers are not numbers: formatting takes quadratic time. */
const MAX_DIGITS = 1000;
/** Output for missing fields and values of the wrong type. */
const NULL = 'null';

const CONVERSIONS: Readonly<Record<string, Conversion>> = {
  d: writeInteger,
  i: writeInteger,
  b: (value) => (value === 'false' ? 'false' : 'true'),
  o: (value, place) => writeBits(value, place, 8, '0'),
  x: (value, place) => writeBits(value, place, 16, '0x'),
  f: (value, place) => writeDecimal(value, place, (number, digits) => number.toFixed(digits)),
  e: (value, place) => writeDecimal(value, place, writeExponent),
  g: (value, place) => writeDecimal(value, place, writeGeneral),
  s: (value, { precision }) => value.slice(0, precision),
  c: (value) => [...value][0] ?? '',
  t: (value, { timeLetter }, zone) => {
    const epochMs = parseNumber(value);
    return epochMs === undefined ? undefined : compileTimeFormat(`%${timeLetter}`, 'en-US')(epochMs, zone);
  },
};

/**
 * Compiles a format such as `"%-10s %,.2f"`.
 *
 * @throws PatternError
 */
export function compileTextFormat(format: string): TextFormat {
  const writers: ((values: readonly (string | undefined)[], zone: TimeZone) => string)[] = [];
  let nextValue = 0;
  let lastValue = 0;
  for (let position = 0; position < format.length; ) {
    const percent = format.indexOf('%', position);
    const text = format.slice(position, percent === -1 ? format.length : percent);
    if (text !== '') writers.push(() => text);
    if (percent === -1) break;
    const { place, index, reuses, end } = readPlace(format, percent);
    position = end;
    if (place.type === 'n') writers.push(() => '\n');
    else if (place.type === '%') writers.push(() => pad('%', place, false));
    else {
      const value = index ?? (reuses ? lastValue : nextValue++);
      lastValue = value;
      const write = placeWriter(place);
      writers.push((values, zone) => write(values[value], zone));
    }
  }
  return (values, zone) => joinTexts(writers.map((write) => write(values, zone)));
}

function readPlace(format: string, start: number) {
  PLACE.lastIndex = start;
  const match = PLACE.exec(format);
  const [whole = '', index, reuse, flags = '', width = '0', precision, half, type = ''] = match ?? [];
  const isTime = type === 't' || type === 'T';
  const end = start + whole.length + (isTime ? 1 : 0);
  const timeLetter = isTime ? (format[end - 1] ?? '') : '';
  const isKnown = /[dibBoxXfFeEgGscn%tT]/.test(type) && (!isTime || isTimeLetter(timeLetter));
  if (match === null || !isKnown) {
    throw new PatternError(
      `${JSON.stringify(format.slice(start, Math.max(end, start + 2)))} is not a format; write %% for a percent sign`,
    );
  }
  if (Number(width) > MAX_WIDTH)
    throw new PatternError(`the width ${width} is above the maximum of ${MAX_WIDTH}`);
  const place: Place = {
    flags,
    width: Number(width),
    precision: precision === undefined ? undefined : Number(precision),
    isHalf: half === 'h',
    type,
    timeLetter,
  };
  return {
    place,
    index: index === undefined ? undefined : Number(index) - 1,
    reuses: reuse !== undefined,
    end,
  };
}

function placeWriter(place: Place): (value: string | undefined, zone: TimeZone) => string {
  const convert = CONVERSIONS[place.type.toLowerCase()];
  const isUpper = place.type !== place.type.toLowerCase() && place.type !== 'F';
  const isNumeric = /[diouxfeg]/i.test(place.type);
  return (value, zone) => {
    const written = value === undefined ? undefined : convert?.(value, place, zone);
    const text = written ?? NULL;
    return pad(isUpper ? text.toUpperCase() : text, place, isNumeric && written !== undefined);
  };
}

function pad(text: string, { flags, width }: Place, isNumber: boolean): string {
  if (flags.includes('-')) return text.padEnd(width);
  if (!flags.includes('0') || !isNumber) return text.padStart(width);
  const [sign = ''] = /^(?:[-+ ]|0[xX])*/.exec(text) ?? [];
  return sign + text.slice(sign.length).padStart(width - sign.length, '0');
}

function writeInteger(value: string, place: Place): string | undefined {
  const integer = readInteger(value);
  return integer === undefined ? undefined : withSign(integer.toString(), place);
}

/** Keeps more digits than a double, up to a limit, and truncates fractions. */
function readInteger(value: string): bigint | undefined {
  if (/^[+-]?\d+$/.test(value)) return value.length > MAX_DIGITS ? undefined : BigInt(value.replace('+', ''));
  const number = parseNumber(value);
  return number === undefined ? undefined : BigInt(Math.trunc(number));
}

/** Writes negative numbers in two's complement, with 64 bits, or 32 with `h`. */
function writeBits(
  value: string,
  { flags, isHalf }: Place,
  radix: number,
  prefix: string,
): string | undefined {
  const integer = readInteger(value);
  if (integer === undefined) return undefined;
  const digits = BigInt.asUintN(isHalf ? 32 : 64, integer).toString(radix);
  return flags.includes('#') ? prefix + digits : digits;
}

function writeDecimal(
  value: string,
  place: Place,
  write: (number: number, precision: number) => string,
): string | undefined {
  const number = parseNumber(value);
  if (number === undefined) return undefined;
  return withSign(write(number, Math.min(place.precision ?? 6, MAX_PRECISION)), place);
}

function writeExponent(number: number, digits: number): string {
  return number.toExponential(digits).replace(/e([+-])(\d)$/, 'e$10$2');
}

/** The precision is the number of significant digits. Very small and very large numbers have an exponent. */
function writeGeneral(number: number, precision: number): string {
  const digits = Math.max(1, precision);
  const exponent = number === 0 ? 0 : Number(number.toExponential(digits - 1).split('e')[1]);
  if (exponent < -4 || exponent >= digits) return writeExponent(number, digits - 1);
  return number.toFixed(digits - 1 - exponent);
}

function withSign(text: string, { flags }: Place): string {
  const isNegative = text.startsWith('-');
  const [whole = '', ...rest] = (isNegative ? text.slice(1) : text).split(/(?=[.e])/);
  const grouped = flags.includes(',') ? whole.replace(/\B(?=(?:\d{3})+$)/g, ',') : whole;
  const sign = isNegative ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
  return sign + grouped + rest.join('');
}
