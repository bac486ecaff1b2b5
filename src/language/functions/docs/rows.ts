import { functionGroup } from './function-doc.ts';

export const rowDocs = functionGroup(
  'Sort, limit and tabulate',
  `
sort: Sorts rows by one or more fields. ⇒ groupBy(http.path, function=max(ms, as=slowest)) | sort(slowest, limit=3)
table: Sorts events and keeps only the given fields, in that column order. ⇒ table([#service, http.path, ms], sortby=ms, limit=3)
head: Returns the oldest events, oldest first. ⇒ head(2) | select([@timestamp, msg])
tail: Returns the newest events. ⇒ tail(2) | select([@timestamp, msg])
explain:asTable: Replaces the result by a table of the steps before it, with the events and the time of each. ⇒ level=error | groupBy(#service) | explain:asTable() | drop(timeMs)
transpose: Swaps rows and columns. ⇒ groupBy(#service, function=[count(), max(ms)]) | transpose(header=#service)
`,
);
