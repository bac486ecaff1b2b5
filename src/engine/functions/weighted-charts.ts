import {
  decodeGeohash,
  encodeGeohash,
  type GeoPoint,
  geohashLength,
  readPoint,
} from '../addresses/geohash.ts';
import { groupsInOrder } from '../aggregates/group-order.ts';
import { type GroupKey, Groups, keyRow } from '../aggregates/groups.ts';
import { countStep } from '../aggregates/result-rows.ts';
import { ChangedTable, computedColumn } from '../columns/changed-table.ts';
import type { EventTable, TakeEvent } from '../columns/event-table.ts';
import { overRows } from '../columns/row-view.ts';
import { type Fields, readField } from '../event.ts';
import { type Accumulator, type AggregateStep, slicedRows } from '../operators/operator.ts';
import { collectRows } from '../operators/row-buffer.ts';
import { groupBytes } from '../run/memory-estimate.ts';
import type { RunScope } from '../run/run-context.ts';
import type { RowSource, SlicedWork } from '../run/sliced-sort.ts';
import { aggregates, fieldName } from '../signature/argument-types.ts';
import { referenceLookup } from '../signature/call-site.ts';
import { define, optional, required, withDefault } from '../signature/function-spec.ts';
import { formatNumber } from '../value.ts';

const MAX_GROUPS = 20_000;

/** One aggregate per combination of key fields. Events that lack a key field are ignored. */
class WeightedGroups {
  readonly #weightColumn: string | undefined;
  readonly #groups: Groups<Accumulator>;

  /** @param onFull called with the maximum number of groups for each event beyond it. */
  constructor(
    fields: readonly string[],
    weight: AggregateStep,
    run: RunScope,
    onFull: (max: number) => void,
  ) {
    this.#weightColumn = weight.columns(undefined)?.[0];
    const max = Math.min(MAX_GROUPS, run.maxGroups ?? MAX_GROUPS);
    this.#groups = new Groups(fields, {
      create(key) {
        run.retain?.(groupBytes(key));
        return weight.open(run);
      },
      max,
      onFull: () => onFull(max),
      needsAll: true,
    });
  }

  from(table: EventTable): TakeEvent {
    const takeOf = this.#groups.openedIn(table, (accumulator) => accumulator.from(table));
    return (index) => takeOf(index)?.(index);
  }

  /** The groups in key order, each with the first field of its aggregate. */
  *weights(): SlicedWork<{ readonly key: GroupKey; readonly weight: string | undefined }[]> {
    const weights: { key: GroupKey; weight: string | undefined }[] = [];
    for (const place of yield* groupsInOrder(this.#groups)) {
      const [result] = yield* slicedRows(this.#groups.values[place]!);
      const column = this.#weightColumn;
      weights.push({ key: this.#groups.keyAt(place), weight: result && column && readField(result, column) });
    }
    return weights;
  }
}

const SANKEY_COLUMNS = ['source', 'target', 'weight'] as const;

/** The flows between the values of two fields with their weights, for a Sankey diagram. */
export const sankey = define.aggregate({
  name: 'sankey',
  uncertain: [
    'Events without the source or target field are ignored.',
    'Rows are sorted by source and target in ascending order.',
  ],
  parameters: {
    source: required(fieldName),
    target: required(fieldName),
    weight: withDefault(aggregates, countStep()),
  },
  compile: ({ source, target, weight }) => ({
    columns: () => SANKEY_COLUMNS,
    open(run) {
      const flows = new WeightedGroups([source, target], weight, run, (max) =>
        run.warn(`sankey() shows at most ${max} flows.`),
      );
      function* rowsOf(): RowSource {
        for (const { key, weight } of yield* flows.weights()) yield keyRow(SANKEY_COLUMNS, [...key, weight]);
      }
      return {
        from: (table) => flows.from(table),
        rows: () => collectRows(rowsOf(), run),
      };
    },
  }),
});

const MAP_COLUMNS = ['_geohash', 'latitude', 'longitude', 'magnitude'] as const;

/** Magnitudes by location, for a world map. */
export const worldMap = define.aggregate({
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
    const fields = [ip, lat, lon].filter((name) => name !== undefined);
    let locate: Locate;
    if (ip !== undefined) {
      if (lat !== undefined || lon !== undefined)
        call.fail('worldMap() accepts either "ip", or "lat" and "lon"', 'ip');
      const find = referenceLookup(call, 'worldMap', 'location');
      locate = (row, run) => {
        const address = readField(row, ip);
        const { latitude, longitude } = (address === undefined ? undefined : find(run)(address)) ?? {};
        return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
      };
    } else if (lat !== undefined && lon !== undefined) {
      locate = (row) => readPoint(row, lat, lon);
    } else {
      return call.fail('worldMap() needs "ip", or "lat" and "lon": the fields with the location');
    }
    return {
      columns: () => MAP_COLUMNS,
      open(run) {
        const places = new WeightedGroups(['_geohash'], magnitude, run, (max) =>
          run.warn(`worldMap() shows at most ${max} places.`),
        );
        return {
          from(table) {
            const hashAt = overRows(table, fields, (row) => {
              const point = locate(row, run);
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

type Locate = (row: Fields, run: RunScope) => GeoPoint | undefined;

function placeRow(hash: string, magnitude: string | undefined): Fields {
  const { latitude, longitude } = decodeGeohash(hash);
  const values = [hash, formatNumber(latitude), formatNumber(longitude), magnitude];
  return keyRow(MAP_COLUMNS, values);
}
