import { type Fields, readNumber } from '../event.ts';
import { integer } from '../signature/argument-types.ts';

/** Each digit halves the longer side of the cell five times. */
const DIGITS = '0123456789bcdefghjkmnpqrstuvwxyz';

export const MAX_GEOHASH_LENGTH = 12;

/** Degrees. */
export interface GeoPoint {
  readonly latitude: number;
  readonly longitude: number;
}

interface Range {
  low: number;
  high: number;
}

/** Returns `undefined` for coordinates out of range. */
export function encodeGeohash({ latitude, longitude }: GeoPoint, length: number): string | undefined {
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return undefined;
  const ranges = wholeEarth();
  let hash = '';
  let bits = 0;
  for (let bit = 0; bit < length * 5; bit += 1) {
    const isUpper = bit % 2 === 0 ? halve(ranges.longitude, longitude) : halve(ranges.latitude, latitude);
    bits = bits * 2 + Number(isUpper);
    if (bit % 5 === 4) {
      hash += DIGITS[bits];
      bits = 0;
    }
  }
  return hash;
}

/** The center of the geohash's cell. */
export function decodeGeohash(hash: string): GeoPoint {
  const ranges = wholeEarth();
  let bit = 0;
  for (const digit of hash) {
    const bits = DIGITS.indexOf(digit);
    for (let mask = 16; mask > 0; mask >>= 1) {
      keepHalf(bit % 2 === 0 ? ranges.longitude : ranges.latitude, (bits & mask) !== 0);
      bit += 1;
    }
  }
  return { latitude: middle(ranges.latitude), longitude: middle(ranges.longitude) };
}

function wholeEarth(): { latitude: Range; longitude: Range } {
  return { latitude: { low: -90, high: 90 }, longitude: { low: -180, high: 180 } };
}

function middle({ low, high }: Range): number {
  return (low + high) / 2;
}

/** Narrows a range to the half that contains a value. @returns true for the upper half. */
function halve(range: Range, value: number): boolean {
  const isUpper = value >= middle(range);
  keepHalf(range, isUpper);
  return isUpper;
}

function keepHalf(range: Range, upper: boolean): void {
  if (upper) range.low = middle(range);
  else range.high = middle(range);
}

export const geohashLength = integer({ min: 1, max: MAX_GEOHASH_LENGTH });

/** Reads a point from two fields; `undefined` unless both are numbers. */
export function readPoint(row: Fields, lat: string, lon: string): GeoPoint | undefined {
  const latitude = readNumber(row, lat);
  const longitude = readNumber(row, lon);
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
}
