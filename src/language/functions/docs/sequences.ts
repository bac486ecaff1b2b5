import type { FunctionGroup } from './function-doc.ts';

export const sequenceDocs: FunctionGroup = {
  title: 'Running totals and neighboring rows',
  intro:
    'These functions depend on the order of rows, so they must follow an aggregate such as `head()` or `sort()`.',
  functions: {
    accumulate: {
      sentence: 'Adds a running aggregate to each row.',
      example: 'head() | accumulate(sum(ms, as=totalMs)) | select([http.path, ms, totalMs])',
    },
    appendAggregation: {
      sentence: 'Keeps all rows, and appends the rows of an aggregate, such as a total.',
      example: 'groupBy(service) | appendAggregation({ sum(_count, as=_count) | service := "total" })',
    },
    neighbor: {
      sentence: 'Adds fields from a preceding or succeeding row to each row.',
      example:
        'head() | neighbor(@timestamp, prefix=previous)\n| pause := @timestamp - previous.@timestamp | select([http.path, pause])',
    },
    partition: {
      sentence: 'Splits rows into partitions where a condition is met and aggregates each partition.',
      example: 'head() | partition([count(), max(ms)], condition={ level=error }, split=after)',
    },
    slidingWindow: {
      sentence: 'Adds an aggregate of the last N rows to each row.',
      example: 'head() | slidingWindow(avg(ms), events=3) | select([http.path, ms, _avg])',
    },
    slidingTimeWindow: {
      sentence: 'Adds an aggregate of the rows within a time span to each row.',
      example: 'head() | slidingTimeWindow(count(), span=30s) | select([@timestamp, http.path, _count])',
    },
  },
};
