import { aggregateDocs } from './aggregates.ts';
import { arrayDocs } from './arrays.ts';
import { chartDocs } from './charts.ts';
import { encodingDocs } from './encoding.ts';
import { fieldDocs } from './fields.ts';
import { filterDocs } from './filters.ts';
import type { FunctionGroup } from './function-doc.ts';
import { networkDocs } from './network.ts';
import { numberDocs } from './numbers.ts';
import { parsingDocs } from './parsing.ts';
import { rowDocs } from './rows.ts';
import { sequenceDocs } from './sequences.ts';
import { tableDocs } from './tables.ts';
import { textDocs } from './text.ts';
import { timeDocs } from './time.ts';

/** The documentation of every function, grouped by purpose. */
export const FUNCTION_GROUPS: readonly FunctionGroup[] = [
  filterDocs,
  aggregateDocs,
  rowDocs,
  chartDocs,
  sequenceDocs,
  tableDocs,
  fieldDocs,
  textDocs,
  numberDocs,
  timeDocs,
  arrayDocs,
  parsingDocs,
  encodingDocs,
  networkDocs,
];
