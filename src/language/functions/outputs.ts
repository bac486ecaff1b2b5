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

/** Functions whose value is a number, or missing. */
export const NUMBER_FUNCTIONS =
  /^(?:math:(?!spherical)\w+|time:(?!\w+Name$)\w+|(?:array:|text:)?length|text:(?:positionOf|editDistance)|now|start|end|round|parseInt|shannonEntropy)$/;
