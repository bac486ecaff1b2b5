import type { FunctionGroup } from './function-doc.ts';

export const aggregateDocs: FunctionGroup = {
  title: 'Count and summarize',
  functions: {
    count: {
      sentence: 'Counts events, events that have a field, or the distinct values of a field.',
      example: 'count(user, distinct=true, as=users)',
    },
    groupBy: {
      sentence: 'Groups events by the values of one or more fields and runs aggregates on each group.',
      example: 'groupBy([#service, level], function=[count(), max(ms)])',
    },
    top: {
      sentence:
        'Returns the most frequent values of a field, or the values with the highest sum or maximum of another field.',
      example: 'top(http.path, sum=ms, limit=3)',
    },
    stats: {
      sentence: 'Runs several aggregates at once and combines their results into rows.',
      example: 'stats([count(), avg(ms), max(ms)])',
    },
    sum: {
      sentence: 'Adds up the numbers in a field.',
      example: 'groupBy(#service, function=sum(ms, as=totalMs))',
    },
    avg: {
      sentence: 'Returns the mean of the numbers in a field.',
      example: 'groupBy(#service, function=avg(ms))',
    },
    min: {
      sentence: 'Returns the smallest number in a field.',
      example: 'groupBy(#service, function=min(ms))',
    },
    max: {
      sentence: 'Returns the largest number in a field.',
      example: 'groupBy(#service, function=max(ms))',
    },
    range: {
      sentence: 'Returns the difference between the largest and the smallest number in a field.',
      example: 'groupBy(http.method, function=range(ms))',
    },
    stdDev: {
      sentence: 'Returns the standard deviation of the numbers in a field.',
      example: 'groupBy(#service, function=[avg(ms), stdDev(ms)])',
    },
    percentile: {
      sentence: 'Returns percentiles of the numbers in a field.',
      example: 'groupBy(#service, function=percentile(ms, percentiles=[50, 95]))',
    },
    percentage: {
      sentence: 'Returns the percentage of events for which an expression is true.',
      example: 'groupBy(#service, function=percentage(status >= 500, as=errorRate))',
    },
    counterAsRate: {
      sentence: 'Returns the rate at which a counter increases, per second.',
      example: 'groupBy(host, function=counterAsRate(requests))',
    },
    linReg: {
      sentence: 'Fits a straight line to the values of two fields by linear regression.',
      example: 'linReg(x=items, y=ms)',
    },
    callFunction: {
      sentence: 'Calls an aggregate by name, given as a string or query parameter.',
      example: 'callFunction(?{statistic=max}, field=ms, as=result)',
    },
    collect: {
      sentence: 'Joins the distinct values of each field into one string.',
      example: 'groupBy(#service, function=collect([user, level], separator=", "))',
    },
    selectLast: {
      sentence: 'Returns the latest value of each field.',
      example: 'groupBy(#service, function=selectLast([status, msg]))',
    },
    selectFromMax: {
      sentence: 'Returns fields from the event with the largest number in a field.',
      example: 'groupBy(#service, function=selectFromMax(ms, include=[http.path, ms]))',
    },
    selectFromMin: {
      sentence: 'Returns fields from the event with the smallest number in a field.',
      example: 'groupBy(#service, function=selectFromMin(ms, include=[http.path, ms]))',
    },
    fieldset: {
      sentence: 'Lists the names of all fields.',
      example: '#service=shop level=error | fieldset()',
    },
    fieldstats: {
      sentence: 'Counts the events and the distinct values of each field.',
      example: 'select([level, status, user]) | fieldstats()',
    },
  },
};
