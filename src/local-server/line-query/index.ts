/** `logclient/line-query`: a query over lines of text, with no service: a file, a pipe, an array. */

export { type LineInput, LineQuery } from './line-query.ts';
export type { LineQueryOptions } from './line-query-options.ts';
