/** `logclient/line-query`: runs a query on lines of text (a file, a pipe, an array) without a server. */

export { type LineInput, LineQuery } from './line-query.ts';
export type { LineQueryOptions } from './line-query-options.ts';
