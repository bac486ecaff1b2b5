/** Aggregates with one output, and its field without `as`. */
export const SINGLE_OUTPUTS: Readonly<Record<string, string>> = {
  avg: '_avg',
  count: '_count',
  counterAsRate: '_rate',
  max: '_max',
  min: '_min',
  percentage: '_percentage',
  range: '_range',
  stdDev: '_stddev',
  sum: '_sum',
};
