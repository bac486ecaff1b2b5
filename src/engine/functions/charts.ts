import {
  decodeGeohash,
  encodeGeohash,
  type GeoPoint,
  geohashLength,
  readPoint,
} from '../addresses/geohash.ts';
import { groupsInOrder } from '../aggregates/group-order.ts';
import { type GroupKey, Groups } from '../aggregates/groups.ts';
import { countStep, rowOfValues } from '../aggregates/result-rows.ts';
import { type BucketChartOptions, bucketChart } from '../buckets/bucket-chart.ts';
import { lengthOfSpan, MAX_BUCKETS } from '../buckets/bucket-span.ts';
import { convertColumns, type RowConversion, readUnit } from '../buckets/unit-conversion.ts';
import { ChangedTable } from '../columns/changed-table.ts';
import { computedValues } from '../columns/computed.ts';
import type { EventTable, TakeEvent } from '../columns/event-table.ts';
import { overRows } from '../columns/row-view.ts';
import { type Fields, readField } from '../event.ts';
import {
  type Accumulator,
  type AggregateStep,
  allRows,
  slicedRows,
  takeEach,
} from '../operators/operator.ts';
import { collectRows } from '../operators/row-buffer.ts';
import { groupBytes } from '../run/memory-estimate.ts';
import type { BucketPlace, RunScope } from '../run/run-context.ts';
import type { RowSource } from '../run/sliced-sort.ts';
import {
  aggregates,
  durationMs,
  fieldName,
  fieldNames,
  integer,
  limit,
  listOf,
  spanLength,
  text,
  timeZone,
} from '../signature/argument-types.ts';
import { type CallSite, referenceLookup } from '../signature/call-site.ts';
import { type ArgumentsOf, define, optional, required, withDefault } from '../signature/function-spec.ts';
import { formatNumber } from '../value.ts';

/** Parameters that `timeChart` and `bucket` share. */
const chartParameters = {
  span: withDefault(spanLength, 'auto'),
  buckets: optional(integer({ min: 1, max: MAX_BUCKETS })),
  function: withDefault(aggregates, countStep()),
  limit: withDefault(limit({ max: 500 }), 10),
  minSpan: optional(spanLength),
  timezone: optional(timeZone),
  unit: optional(listOf(text)),
};

type ChartOptions = Omit<BucketChartOptions, 'name' | 'seriesFields' | 'extraData'>;

/** The options of a chart from the shared arguments. `span` overrides `buckets`. */
function chartOptions(args: ArgumentsOf<typeof chartParameters>, call: CallSite): ChartOptions {
  const { span, buckets, function: inner, minSpan } = args;
  return {
    inner,
    maxSeries: args.limit,
    isOwnLimit: call.has('limit'),
    span: {
      span: span === 'auto' ? undefined : span,
      buckets: span === 'auto' ? buckets : undefined,
      minSpanMs: minSpan === undefined || minSpan === 'auto' ? 0 : lengthOfSpan(minSpan),
    },
    timeZone: args.timezone,
    conversion: unitConversion(args.unit, inner, call),
  };
}

function unitConversion(
  units: readonly string[] | undefined,
  inner: AggregateStep,
  call: CallSite,
): RowConversion | undefined {
  if (units === undefined) return undefined;
  const members = (inner.members ?? [inner]).map((member) => member.columns(undefined) ?? []);
  if (units.length !== 1 && units.length !== members.length) {
    call.fail(`"unit" must be one string, or one per function (${members.length})`, 'unit');
  }
  const factors = units.map(
    (unit) =>
      readUnit(unit) ??
      call.fail(`${JSON.stringify(unit)} is not a conversion such as "bytes/span to Kbytes/day"`, 'unit'),
  );
  if (factors.every((factor) => factor === 'label')) return undefined;
  return convertColumns(
    members.flatMap((columns, index) =>
      columns.map((name) => ({ name, factor: factors[index] ?? factors[0] ?? 'label' })),
    ),
  );
}

/** Aggregates per time bucket and per combination of key fields. */
export const bucket = define.aggregate({
  name: 'bucket',
  uncertain: [
    'Empty buckets produce rows, as in `timeChart()`.',
    'Events that lack any of the fields are ignored.',
  ],
  parameters: {
    ...chartParameters,
    span: { ...chartParameters.span, isUnnamed: true },
    field: withDefault(fieldNames, []),
  },
  compile: (args, call) =>
    bucketChart({
      ...chartOptions(args, call),
      name: 'bucket',
      seriesFields: args.field,
      extraData: args.field.length === 0 ? {} : { groupby_fields: args.field.join(',') },
    }),
});

/** Aggregates over time, for all events or per value of a field. */
export const timeChart = define.aggregate({
  name: 'timeChart',
  uncertain: [
    '"auto" selects the shortest span that gives at most 100 buckets: 1s, 5s, 10s, 15s, 30s, 1m, 5m, 10m, 15m, 30m, 1h, 3h, 6h, 12h, 1d, 1w, or several weeks.',
    'If both `span` and `buckets` are set, `span` wins.',
    'Events without the series field are ignored.',
    'A span such as "calendar: 1month" aligns with the calendar; multiples are counted from 1970.',
  ],
  parameters: { series: optional(fieldName, { unnamed: true }), ...chartParameters },
  compile(args, call) {
    const { series } = args;
    return bucketChart({
      ...chartOptions(args, call),
      name: 'timeChart',
      seriesFields: series === undefined ? [] : [series],
      extraData: {
        timechart: 'true',
        'ui:suggested-widget': 'time-chart',
        ...(series !== undefined && { series, groupby_fields: series }),
      },
    });
  },
});

/** In a `timeChart` or `bucket`: aggregates over the buckets before each bucket, without the bucket itself. */
export const window = define.aggregate({
  name: 'window',
  parameters: {
    function: withDefault(aggregates, countStep(), { unnamed: true }),
    span: optional(durationMs),
    buckets: optional(integer({ min: 1, max: MAX_BUCKETS })),
  },
  uncertain: ['A window ends before its bucket starts. Buckets with too few predecessors have no value.'],
  compile({ function: inner, span, buckets }, call) {
    const { caller } = call.scope;
    if (caller !== 'timeChart' && caller !== 'bucket') {
      call.fail('window() is only allowed in the argument "function" of timeChart() or bucket()');
    }
    if ((span === undefined) === (buckets === undefined))
      call.fail('window() needs either "span" or "buckets"');
    const step: AggregateStep = {
      columns: (before) => inner.columns(before),
      open(run) {
        const place = run.bucket;
        if (place === undefined) return inner.open(run);
        const { grid, shared, start } = place;
        const length = buckets ?? Math.max(1, Math.round((span ?? 0) / grid.spanMs));
        const known = shared.get(step) as BucketWindows | undefined;
        const windows = known ?? new BucketWindows(inner, length, place, run);
        shared.set(step, windows);
        return {
          from: (table) => windows.from(start, table),
          rows: () => windows.rowsAt(start),
        };
      },
    };
    return step;
  },
});

/** Aggregates over a number of buckets, for the bucket that follows them. */
class BucketWindows {
  readonly #step: AggregateStep;
  readonly #length: number;
  readonly #place: BucketPlace;
  readonly #run: RunScope;
  readonly #windows = new Map<number, Accumulator>();
  /** The first bucket with a complete window before it. */
  readonly #firstShown: number;

  /** @param length number of buckets in a window */
  constructor(step: AggregateStep, length: number, place: BucketPlace, run: RunScope) {
    this.#step = step;
    this.#length = length;
    this.#place = place;
    this.#run = run;
    this.#firstShown = this.#startsAfter(place.first)[length - 1] ?? Number.POSITIVE_INFINITY;
  }

  /** Adds the events of a table that are in one bucket. */
  from(start: number, table: EventTable): TakeEvent | undefined {
    if (start < this.#place.first) return undefined;
    return takeEach(this.#startsAfter(start).map((later) => this.#windowAt(later).from(table)));
  }

  /** The result of the window before a bucket. */
  rowsAt(start: number): readonly Fields[] {
    if (start < this.#firstShown) return [];
    return allRows(this.#windows.get(start) ?? this.#step.open(this.#run));
  }

  #windowAt(start: number): Accumulator {
    const known = this.#windows.get(start);
    if (known !== undefined) return known;
    const opened = this.#step.open(this.#run);
    this.#run.retain?.(groupBytes([]));
    this.#windows.set(start, opened);
    return opened;
  }

  /** The starts of the buckets whose windows contain this one, up to the end of the chart. */
  #startsAfter(start: number): number[] {
    const { grid } = this.#place;
    const starts: number[] = [];
    let next = grid.nextStart(start);
    while (starts.length < this.#length && next <= this.#run.end) {
      starts.push(next);
      next = grid.nextStart(next);
    }
    return starts;
  }
}

const MAX_GROUPS = 20_000;

/**
 * One aggregate per combination of key fields. Events that lack a key field are ignored.
 *
 * @param warning that there are more groups than a maximum.
 */
function weightedGroups(
  fields: readonly string[],
  weight: AggregateStep,
  run: RunScope,
  warning: (max: number) => string,
) {
  const [column] = weight.columns(undefined) ?? [];
  const max = Math.min(MAX_GROUPS, run.limits?.maxGroups ?? MAX_GROUPS);
  const create = () => weight.open(run);
  const groups = new Groups(fields, { run, create, max, warning: warning(max), needsAll: true });
  return {
    from(table: EventTable): TakeEvent {
      const takeOf = groups.openedIn(table, (accumulator) => accumulator.from(table));
      return (index) => takeOf(index)?.(index);
    },
    /** The groups in key order, each with the first field of its aggregate. */
    *weights() {
      const weights: { key: GroupKey; weight: string | undefined }[] = [];
      for (const place of yield* groupsInOrder(groups)) {
        const [result] = yield* slicedRows(groups.values[place]!);
        weights.push({ key: groups.keyAt(place), weight: result && column && readField(result, column) });
      }
      return weights;
    },
  };
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
      const warning = (max: number): string => `sankey() shows at most ${max} flows.`;
      const flows = weightedGroups([source, target], weight, run, warning);
      function* rowsOf(): RowSource {
        for (const { key, weight } of yield* flows.weights())
          yield rowOfValues(SANKEY_COLUMNS, [...key, weight]);
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
        const warning = (max: number): string => `worldMap() shows at most ${max} places.`;
        const places = weightedGroups(['_geohash'], magnitude, run, warning);
        return {
          from(table) {
            const hashAt = overRows(table, fields, (row) => {
              const point = locate(row, run);
              return point && encodeGeohash(point, precision);
            });
            return places.from(new ChangedTable(table, new Map([['_geohash', computedValues(hashAt)]])));
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
  return rowOfValues(MAP_COLUMNS, values);
}
