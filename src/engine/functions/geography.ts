import {
  encodeGeohash,
  type GeoPoint,
  geohashLength,
  MAX_GEOHASH_LENGTH,
  readPoint,
} from '../addresses/geohash.ts';
import { fieldName } from '../signature/argument-types.ts';
import { define, required, withDefault } from '../signature/function-spec.ts';

/** The geohash of the point in two fields. */
export const geohash = define.value({
  name: 'geohash',
  output: '_geohash',
  parameters: {
    lat: withDefault(fieldName, 'ip.lat'),
    lon: withDefault(fieldName, 'ip.lon'),
    precision: withDefault(geohashLength, MAX_GEOHASH_LENGTH),
  },
  compile:
    ({ lat, lon, precision }) =>
    (row) => {
      const point = readPoint(row, lat, lon);
      return point && encodeGeohash(point, precision);
    },
});

const EARTH_RADIUS_M = 6_371_009;

/** The distance between two points in meters, on a sphere with the earth's radius. */
export const geographyDistance = define.value({
  name: 'geography:distance',
  output: '_distance',
  parameters: {
    lat1: required(fieldName),
    lon1: required(fieldName),
    lat2: required(fieldName),
    lon2: required(fieldName),
  },
  compile:
    ({ lat1, lon1, lat2, lon2 }) =>
    (row) => {
      const from = readPoint(row, lat1, lon1);
      const to = readPoint(row, lat2, lon2);
      return from && to && distance(from, to);
    },
});

/** Haversine formula, which is accurate for short distances, too. */
function distance(from: GeoPoint, to: GeoPoint): number {
  const square =
    halfChord(to.latitude - from.latitude) ** 2 +
    Math.cos(radians(from.latitude)) *
      Math.cos(radians(to.latitude)) *
      halfChord(to.longitude - from.longitude) ** 2;
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(square)));
}

function halfChord(degrees: number): number {
  return Math.sin(radians(degrees) / 2);
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
