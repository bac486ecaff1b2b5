import { aggregateCases } from './aggregates.ts';
import { arrayCases } from './arrays.ts';
import { fieldCases } from './fields.ts';
import { filterCases } from './filters.ts';
import type { GoldenCases } from './golden-case.ts';
import { moreAggregateCases } from './more-aggregates.ts';
import { networkCases } from './network.ts';
import { numberCases } from './numbers.ts';
import { parsingCases } from './parsing.ts';
import { sequenceCases } from './sequences.ts';
import { tableCases } from './tables.ts';
import { timeCases } from './time.ts';
import { transformCases } from './transforms.ts';

/** The golden cases of all functions. */
export const GOLDEN_CASES: GoldenCases = {
  ...filterCases,
  ...fieldCases,
  ...arrayCases,
  ...numberCases,
  ...transformCases,
  ...aggregateCases,
  ...timeCases,
  ...parsingCases,
  ...networkCases,
  ...moreAggregateCases,
  ...sequenceCases,
  ...tableCases,
};
