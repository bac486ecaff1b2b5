import type { QueryMetadata } from './query.ts';

/** The service's maximum number of events in the result of a query without an aggregate. */
export const PAGE_EVENTS = 200;

/** The fields that name the series of a `timeChart()` or `bucket()`. */
export function seriesFields(extraData: QueryMetadata['extraData']): readonly string[] {
  return (extraData.groupby_fields ?? extraData.series)?.split(',').map((name) => name.trim()) ?? [];
}
