/** The query engine: compiles a query to an immutable plan, and runs events through it. */

export { findTimeZone } from '../core/time-zone.ts';
export { compareSortKeys } from './aggregates/sorting.ts';
export { missingColumn } from './columns/changed-table.ts';
export { computedValues, memoizeLast } from './columns/computed.ts';
export type { Column, DistinctTexts, EventTable, OfEvent, Sink, TakeEvent } from './columns/event-table.ts';
export { sortKey } from './compare.ts';
export { compileQuery } from './compiler/compile.ts';
export { type Fields, readField, setField } from './event.ts';
export {
  compileEventScript,
  type EventScript,
  EventScriptError,
} from './event-script.ts';
export {
  exactText,
  isMarkedNumber,
  parseExactJson,
  parseLongJson,
  renderExactJson,
} from './formats/exact-json.ts';
export { functionNames } from './functions/registry.ts';
export { type Digest, type Hashing, hashing, useHashing } from './hashing.ts';
export { takeAll } from './operators/aggregate-pipeline.ts';
export { NewestRows } from './operators/newest-rows.ts';
export type { EventSource } from './operators/preparation.ts';
export type { Plan } from './plan/plan.ts';
export type { EventStream, Run } from './plan/run.ts';
export { QueryError } from './query-error.ts';
export {
  emptyLibrary,
  type LookupTable,
  MISSING_FILE,
  type QueryLibrary,
  UNKNOWN_FILE,
} from './query-library.ts';
export { QueryLimitError, QueryMemoryError } from './query-limit-error.ts';
export {
  type AutonomousSystem,
  CONFIDENCES,
  type Confidence,
  INDICATOR_TYPES,
  type Indicator,
  type IndicatorType,
  type IpLocation,
  noReferenceData,
  PENDING,
  type ReferenceData,
} from './reference-data.ts';
export { cpuTime, endEvent, startEvent } from './run/event-cost.ts';
export { rowBytes } from './run/memory-estimate.ts';
export type { RunContext, RunLimits } from './run/run-context.ts';
export { undecidedWarnings } from './run/search-budget.ts';
export { finish, type SlicedWork, sortInSlices } from './run/sliced-sort.ts';
export { parseDuration, parseTimePoint } from './time/relative-time.ts';
export { parseNumber } from './value.ts';
