import { type Span, withTemplateValues } from '../../language/index.ts';
import { type EmbeddedQuery, fileOffset } from './embedded-query.ts';
import { type QueryFile, templatesIn } from './query-files.ts';

/** The text of a file with other queries in it. A query that can't be written there stays as it is. */
export function replaceQueries(
  { text, queries }: QueryFile,
  replace: (query: EmbeddedQuery) => string,
): string {
  let result = text;
  let level = queries.filter(({ depth }) => depth === 0);
  for (let depth = 1; level.length > 0; depth += 1) {
    for (const embedded of level.toReversed()) {
      const changed = withQuery(result, embedded, replace);
      result = result.slice(0, embedded.offset) + changed + result.slice(embedded.end);
    }
    // Templates in the values of others have moved.
    const hasInner = queries.some((embedded) => embedded.depth === depth);
    level = hasInner ? templatesIn(result).filter((embedded) => embedded.depth === depth) : [];
  }
  return result;
}

/** What to write in a file in place of one query. The same text if that isn't possible. */
export function withQuery(
  text: string,
  embedded: EmbeddedQuery,
  replace: (query: EmbeddedQuery) => string,
): string {
  const { query, offset, end, kind } = embedded;
  const raw = text.slice(offset, end);
  if (kind === 'template') return inTemplate(raw, embedded, replace);
  const changed = kind === 'fixed' ? query : replace(embedded);
  if (changed === query) return raw;
  return kind === 'file' ? changed : (inPlace(text, embedded, changed) ?? raw);
}

function inTemplate(raw: string, embedded: EmbeddedQuery, replace: (query: EmbeddedQuery) => string): string {
  // A backslash before a backtick would be lost.
  if (/\\[`$]/.test(raw)) return raw;
  const changed = replace(embedded);
  if (changed === embedded.query || /`|\$\{/.test(changed)) return raw;
  // A value of the template would be lost.
  return withTemplateValues(changed, raw, embedded.values) ?? raw;
}

/** Changes only what differs. Undefined if the file would have other queries then, as in a string with a colon. */
function inPlace(text: string, embedded: EmbeddedQuery, changed: string): string | undefined {
  const { query, offset, end, encode, read } = embedded;
  const { span, part } = difference(query, changed);
  const start = fileOffset(embedded, span.start);
  const stop = span.end === query.length ? end : fileOffset(embedded, span.end);
  const source = encode!(part, changed[span.start + part.length] ?? '');
  const before = read!(text);
  const after = read!(text.slice(0, start) + source + text.slice(Math.max(start, stop)));
  const index = before.findIndex((each) => each.offset === offset);
  const isExact =
    before.length === after.length &&
    after.every((each, place) => each.query === (place === index ? changed : before[place]!.query));
  return isExact ? text.slice(offset, start) + source + text.slice(Math.max(start, stop), end) : undefined;
}

/** The part of a query that another text replaces. */
function difference(query: string, changed: string): { readonly span: Span; readonly part: string } {
  const limit = Math.min(query.length, changed.length);
  let start = 0;
  while (start < limit && query[start] === changed[start]) start += 1;
  let tail = 0;
  while (tail < limit - start && query.at(-1 - tail) === changed.at(-1 - tail)) tail += 1;
  // A blank line has no prefix that a part of the query could follow.
  while (start > 0 && query[start - 1] === '\n') start -= 1;
  return {
    span: { start, end: query.length - tail },
    part: changed.slice(start, changed.length - tail),
  };
}
