import { functionGroup } from './function-doc.ts';

export const aggregateDocs = functionGroup(
  'Count and summarize',
  `
count: Counts events, events that have a field, or the distinct values of a field. ⇒ count(user, distinct=true, as=users)
groupBy: Groups events by the values of one or more fields and runs aggregates on each group. ⇒ groupBy([#service, level], function=[count(), max(ms)])
top: Returns the most frequent values of a field, or the values with the highest sum or maximum of another field. ⇒ top(http.path, sum=ms, limit=3)
stats: Runs several aggregates at once and combines their results into rows. ⇒ stats([count(), avg(ms), max(ms)])
sum: Adds up the numbers in a field. ⇒ groupBy(#service, function=sum(ms, as=totalMs))
avg: Returns the mean of the numbers in a field. ⇒ groupBy(#service, function=avg(ms))
min: Returns the smallest number in a field. ⇒ groupBy(#service, function=min(ms))
max: Returns the largest number in a field. ⇒ groupBy(#service, function=max(ms))
range: Returns the difference between the largest and the smallest number in a field. ⇒ groupBy(http.method, function=range(ms))
stdDev: Returns the standard deviation of the numbers in a field. ⇒ groupBy(#service, function=[avg(ms), stdDev(ms)])
percentile: Returns percentiles of the numbers in a field. ⇒ groupBy(#service, function=percentile(ms, percentiles=[50, 95]))
percentage: Returns the percentage of events for which an expression is true. ⇒ groupBy(#service, function=percentage(status >= 500, as=errorRate))
counterAsRate: Returns the rate at which a counter increases, per second. ⇒ groupBy(host, function=counterAsRate(requests))
linReg: Fits a straight line to the values of two fields by linear regression. ⇒ linReg(x=items, y=ms)
callFunction: Calls an aggregate by name, given as a string or query parameter. ⇒ callFunction(?{statistic=max}, field=ms, as=result)
collect: Joins the distinct values of each field into one string. ⇒ groupBy(#service, function=collect([user, level], separator=", "))
selectLast: Returns the latest value of each field. ⇒ groupBy(#service, function=selectLast([status, msg]))
selectFromMax: Returns fields from the event with the largest number in a field. ⇒ groupBy(#service, function=selectFromMax(ms, include=[http.path, ms]))
selectFromMin: Returns fields from the event with the smallest number in a field. ⇒ groupBy(#service, function=selectFromMin(ms, include=[http.path, ms]))
fieldset: Lists the names of all fields. ⇒ #service=shop level=error | fieldset()
fieldstats: Counts the events and the distinct values of each field. ⇒ select([level, status, user]) | fieldstats()
`,
);
