import type { FunctionGroup } from './function-doc.ts';

export const rowDocs: FunctionGroup = {
  title: 'Sort, limit and tabulate',
  functions: {
    sort: {
      sentence: 'Sorts rows by one or more fields.',
      example: 'groupBy(http.path, function=max(ms, as=slowest)) | sort(slowest, limit=3)',
    },
    table: {
      sentence: 'Sorts events and keeps only the given fields, in that column order.',
      example: 'table([#service, http.path, ms], sortby=ms, limit=3)',
    },
    head: {
      sentence: 'Returns the oldest events, oldest first.',
      example: 'head(2) | select([@timestamp, msg])',
    },
    tail: {
      sentence: 'Returns the newest events.',
      example: 'tail(2) | select([@timestamp, msg])',
    },
    'explain:asTable': {
      sentence:
        'Replaces the result by a table of the steps before it, with the events and the time of each.',
      example: 'level=error | groupBy(#service) | explain:asTable() | drop(timeMs)',
    },
    transpose: {
      sentence: 'Swaps rows and columns.',
      example: 'groupBy(#service, function=[count(), max(ms)]) | transpose(header=#service)',
    },
  },
};
