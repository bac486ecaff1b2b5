/** The query engine: the text of a query to an immutable plan, and events through it to a result. */

export { type CompileOptions, compileQuery } from './compile.ts';
export { type Fields, readField, writeField } from './event.ts';
export { functionNames } from './functions/registry.ts';
export type { Plan } from './plan.ts';
export { QueryError } from './query-error.ts';
export { parseDuration, parseTimePoint, type TimePointOptions } from './relative-time.ts';
export type { EventStream, Run } from './run.ts';
export type { RunContext } from './run-context.ts';
export { findTimeZone, type TimeZone } from './time-zone.ts';
