import { functionGroup } from './function-doc.ts';

export const sequenceDocs = functionGroup(
  'Running totals and neighboring rows',
  `
accumulate: Adds a running aggregate to each row. ⇒ head() | accumulate(sum(ms, as=totalMs)) | select([http.path, ms, totalMs])
appendAggregation: Keeps all rows, and appends the rows of an aggregate, such as a total. ⇒ groupBy(service) | appendAggregation({ sum(_count, as=_count) | service := "total" })
neighbor: Adds fields from a preceding or succeeding row to each row. ⇒ head() | neighbor(@timestamp, prefix=previous)
  | pause := @timestamp - previous.@timestamp | select([http.path, pause])
partition: Splits rows into partitions where a condition is met and aggregates each partition. ⇒ head() | partition([count(), max(ms)], condition={ level=error }, split=after)
slidingWindow: Adds an aggregate of the last N rows to each row. ⇒ head() | slidingWindow(avg(ms), events=3) | select([http.path, ms, _avg])
slidingTimeWindow: Adds an aggregate of the rows within a time span to each row. ⇒ head() | slidingTimeWindow(count(), span=30s) | select([@timestamp, http.path, _count])
`,
  `These functions depend on the order of rows, so they must follow an aggregate such as \`head()\` or \`sort()\`.`,
);
