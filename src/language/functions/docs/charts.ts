import { functionGroup } from './function-doc.ts';

export const chartDocs = functionGroup(
  'Charts, buckets and sessions',
  `
timeChart: Splits the search interval into time buckets and aggregates each series per bucket. ⇒ timeChart(#service, span=1m, function=count())
bucket: Splits the search interval into time buckets and aggregates the events in each bucket. ⇒ bucket(span=1m, function=[count(), avg(ms)])
window: Aggregates a sliding window of buckets within timeChart() or bucket(). ⇒ timeChart(span=30s, function=window(sum(ms), span=1m))
series: Joins the values of a field into time-ordered series. ⇒ groupBy(user, function=series(page, separator=" > ", maxpause=15m))
session: Splits events into sessions at long pauses and aggregates each session. ⇒ groupBy(user, function=session([count(as=pages), selectLast(page)], maxpause=15m))
sankey: Returns the flows between the values of two fields, for a Sankey diagram. ⇒ sankey(source=#service, target=level)
worldMap: Groups events by location, for a world map. ⇒ worldMap(lat=lat, lon=lon, precision=2)
`,
);
