import { encodeGeohash, type GeoPoint, MAX_GEOHASH_LENGTH } from '../addresses/geohash-text.ts';
import { type Fields, readField } from '../event.ts';
import { fieldName, integer } from '../signature/argument-types.ts';
import { defineValue, optional, withDefault } from '../signature/function-spec.ts';
import { parseNumber } from '../value.ts';

/** The length of a geohash. */
export const geohashLength = integer({ min: 1, max: MAX_GEOHASH_LENGTH });

/** The geohash of the point that two fields hold. */
export const geohash = defineValue({
  name: 'geohash',
  output: '_geohash',
  parameters: {
    lat: withDefault(fieldName, 'ip.lat'),
    lon: withDefault(fieldName, 'ip.lon'),
    precision: withDefault(geohashLength, MAX_GEOHASH_LENGTH),
    as: optional(fieldName),
  },
  compile:
    ({ lat, lon, precision }) =>
    (row) => {
      const point = readPoint(row, lat, lon);
      return point && encodeGeohash(point, precision);
    },
});

/** The point that two fields hold; `undefined` unless both are numbers. */
export function readPoint(row: Fields, lat: string, lon: string): GeoPoint | undefined {
  const latitude = parseNumber(readField(row, lat) ?? '');
  const longitude = parseNumber(readField(row, lon) ?? '');
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
}
