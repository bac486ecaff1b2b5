import { type Fields, readField } from '../event.ts';
import { integer } from '../signature/argument-types.ts';
import { parseNumber } from '../value.ts';
import { type GeoPoint, MAX_GEOHASH_LENGTH } from './geohash-text.ts';

export const geohashLength = integer({ min: 1, max: MAX_GEOHASH_LENGTH });

/** Reads a point from two fields; `undefined` unless both are numbers. */
export function readPoint(row: Fields, lat: string, lon: string): GeoPoint | undefined {
  const latitude = parseNumber(readField(row, lat) ?? '');
  const longitude = parseNumber(readField(row, lon) ?? '');
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
}
