import type { FunctionGroup } from './function-doc.ts';

export const chartDocs: FunctionGroup = {
  title: 'Charts, buckets and sessions',
  functions: {
    timeChart: {
      sentence: 'Splits the search interval into time buckets and aggregates each series per bucket.',
      example: 'timeChart(#service, span=1m, function=count())',
    },
    bucket: {
      sentence: 'Splits the search interval into time buckets and aggregates the events in each bucket.',
      example: 'bucket(span=1m, function=[count(), avg(ms)])',
    },
    window: {
      sentence: 'Aggregates a sliding window of buckets within timeChart() or bucket().',
      example: 'timeChart(span=30s, function=window(sum(ms), span=1m))',
    },
    series: {
      sentence: 'Joins the values of a field into time-ordered series.',
      example: 'groupBy(user, function=series(page, separator=" > ", maxpause=15m))',
    },
    session: {
      sentence: 'Splits events into sessions at long pauses and aggregates each session.',
      example: 'groupBy(user, function=session([count(as=pages), selectLast(page)], maxpause=15m))',
    },
    sankey: {
      sentence: 'Returns the flows between the values of two fields, for a Sankey diagram.',
      example: 'sankey(source=#service, target=level)',
    },
    worldMap: {
      sentence: 'Groups events by location, for a world map.',
      example: 'worldMap(lat=lat, lon=lon, precision=2)',
    },
  },
};
