import { geohashLength, readPoint } from '../addresses/geo-arguments.ts';
import { decodeGeohash, encodeGeohash, type GeoPoint } from '../addresses/geohash-text.ts';
import { countStep } from '../aggregates/event-count.ts';
import { groupsInOrder } from '../aggregates/groups.ts';
import type { EventTable, TakeEvent } from '../columns/event-table.ts';
import { overRows } from '../columns/row-view.ts';
import { type Fields, readField, writeField } from '../event.ts';
import { type Accumulator, type AggregateStep, slicedRows } from '../operators/operator.ts';
import { groupBytes } from '../run/memory-estimate.ts';
import type { RunScope } from '../run/run-context.ts';
import type { SlicedWork } from '../run/sliced-sort.ts';
import { aggregates, fieldName } from '../signature/argument-types.ts';
import { defineAggregate, optional, withDefault } from '../signature/function-spec.ts';
import { referenceDataOf } from '../signature/library-access.ts';
import { formatNumber } from '../value.ts';

const COLUMNS = ['_geohash', 'latitude', 'longitude', 'magnitude'] as const;

/** How much there is at each place of the earth: what a world map is drawn of. */
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
      open: (run) => new WorldMap({ locate, fields, magnitude, precision }, run),
    };
  },
});

type Locate = (row: Fields) => GeoPoint | undefined;

interface WorldMapOptions {
  readonly locate: Locate;
  /** The fields that it reads. */
  readonly fields: readonly string[];
  readonly magnitude: AggregateStep;
  readonly precision: number;
}

const MAX_PLACES = 20_000;

interface Place {
  readonly key: readonly [hash: string];
  readonly accumulator: Accumulator;
}

class WorldMap implements Accumulator {
  readonly #options: WorldMapOptions;
  readonly #magnitudeColumn: string | undefined;
  readonly #run: RunScope;
  readonly #places = new Map<string, Place>();

  constructor(options: WorldMapOptions, run: RunScope) {
    this.#options = options;
    this.#magnitudeColumn = options.magnitude.columns(undefined)?.[0];
    this.#run = run;
  }

  from(table: EventTable): TakeEvent {
    const { locate, fields, precision } = this.#options;
    const hashAt = overRows(table, fields, (row) => {
      const point = locate(row);
      return point && encodeGeohash(point, precision);
    });
    const takes = new Map<Place, TakeEvent | undefined>();
    return (index) => {
      const hash = hashAt(index);
      const place = hash === undefined ? undefined : (this.#places.get(hash) ?? this.#newPlace(hash));
      if (place === undefined) return;
      if (!takes.has(place)) takes.set(place, place.accumulator.from(table));
      takes.get(place)?.(index);
    };
  }

  *rows(): SlicedWork<readonly Fields[]> {
    const rows: Fields[] = [];
    for (const { key, accumulator } of yield* groupsInOrder(this.#places.values(), () => 0)) {
      const [result] = yield* slicedRows(accumulator);
      rows.push(this.#row(key[0], result));
    }
    return rows;
  }

  #newPlace(hash: string): Place | undefined {
    const maxPlaces = Math.min(MAX_PLACES, this.#run.maxGroups ?? MAX_PLACES);
    if (this.#places.size >= maxPlaces) {
      this.#run.warn(`worldMap() shows at most ${maxPlaces} places.`);
      return undefined;
    }
    const key = [hash] as const;
    this.#run.retain?.(groupBytes(key));
    const place = { key, accumulator: this.#options.magnitude.open(this.#run) };
    this.#places.set(hash, place);
    return place;
  }

  #row(hash: string, result: Fields | undefined): Fields {
    const { latitude, longitude } = decodeGeohash(hash);
    const row: Fields = {
      _geohash: hash,
      latitude: formatNumber(latitude),
      longitude: formatNumber(longitude),
    };
    const magnitude = result && this.#magnitudeColumn && readField(result, this.#magnitudeColumn);
    if (magnitude !== undefined) writeField(row, 'magnitude', magnitude);
    return row;
  }
}
