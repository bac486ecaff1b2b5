import { geohashLength, readPoint } from '../addresses/geo-arguments.ts';
import { decodeGeohash, encodeGeohash, type GeoPoint } from '../addresses/geohash-text.ts';
import { countStep } from '../aggregates/event-count.ts';
import { keyRow } from '../aggregates/groups.ts';
import { WeightedGroups } from '../aggregates/weighted-groups.ts';
import { ChangedTable, computedColumn } from '../columns/changed-table.ts';
import { overRows } from '../columns/row-view.ts';
import { type Fields, readField } from '../event.ts';
import { aggregates, fieldName } from '../signature/argument-types.ts';
import { defineAggregate, optional, withDefault } from '../signature/function-spec.ts';
import { referenceDataOf } from '../signature/library-access.ts';
import { formatNumber } from '../value.ts';

const COLUMNS = ['_geohash', 'latitude', 'longitude', 'magnitude'] as const;

/** Magnitudes by location, for a world map. */
export const worldMap = defineAggregate({
  name: 'worldMap',
  partial: [
    "With `ip`, locations come from the server's IP database file. Without this file, there are no locations.",
  ],
  uncertain: [
    'The columns are `_geohash`, latitude, longitude and magnitude. The coordinates are the center of the geohash.',
    'Rows are sorted by geohash.',
    'You can omit the name of `ip`: `worldMap(source.ip)`.',
  ],
  parameters: {
    ip: optional(fieldName, { unnamed: true }),
    lat: optional(fieldName),
    lon: optional(fieldName),
    magnitude: withDefault(aggregates, countStep()),
    precision: withDefault(geohashLength, 4),
  },
  compile({ ip, lat, lon, magnitude, precision }, call) {
    const data = referenceDataOf(call);
    const fields = [ip, lat, lon].filter((name) => name !== undefined);
    let locate: Locate;
    if (ip !== undefined) {
      if (lat !== undefined || lon !== undefined)
        call.fail('worldMap() accepts either "ip", or "lat" and "lon"', 'ip');
      locate = (row) => {
        const { latitude, longitude } = data.location(readField(row, ip) ?? '') ?? {};
        return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
      };
    } else if (lat !== undefined && lon !== undefined) {
      locate = (row) => readPoint(row, lat, lon);
    } else {
      return call.fail('worldMap() needs "ip", or "lat" and "lon": the fields with the location');
    }
    return {
      columns: () => COLUMNS,
      open(run) {
        const places = new WeightedGroups(['_geohash'], magnitude, run, (max) =>
          run.warn(`worldMap() shows at most ${max} places.`),
        );
        return {
          from(table) {
            const hashAt = overRows(table, fields, (row) => {
              const point = locate(row);
              return point && encodeGeohash(point, precision);
            });
            return places.from(new ChangedTable(table, new Map([['_geohash', computedColumn(hashAt)]])));
          },
          *rows() {
            const weights = yield* places.weights();
            return weights.map(({ key: [hash = ''], weight }) => placeRow(hash, weight));
          },
        };
      },
    };
  },
});

type Locate = (row: Fields) => GeoPoint | undefined;

function placeRow(hash: string, magnitude: string | undefined): Fields {
  const { latitude, longitude } = decodeGeohash(hash);
  const values = [hash, formatNumber(latitude), formatNumber(longitude), magnitude];
  return keyRow(COLUMNS, values);
}
