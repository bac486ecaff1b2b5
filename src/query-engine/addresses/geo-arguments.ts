import { type Fields, readField } from '../event.ts';
import { integer } from '../signature/argument-types.ts';
import { parseNumber } from '../value.ts';
import { type GeoPoint, MAX_GEOHASH_LENGTH } from './geohash-text.ts';

/** The length of a geohash. */
export const geohashLength = integer({ min: 1, max: MAX_GEOHASH_LENGTH });

/** The point that two fields hold; `undefined` unless both are numbers. */
export function readPoint(row: Fields, lat: string, lon: string): GeoPoint | undefined {
  const latitude = parseNumber(readField(row, lat) ?? '');
  const longitude = parseNumber(readField(row, lon) ?? '');
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
}
