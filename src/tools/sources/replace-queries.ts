import { applyEdit, positionAt, type Span, type TextEdit } from '../../language/index.ts';
import { withTemplateValues } from '../../language/template.ts';
import { type EmbeddedQuery, fileOffset } from './embedded-query.ts';
import { type QueryFile, templatesIn } from './query-files.ts';

/** What to write for a query. */
type Replace = (query: EmbeddedQuery) => string;

/** The text of a file with other queries in it. A query that can't be written there stays as it is. */
export function replaceQueries({ text, queries }: QueryFile, replace: Replace): string {
  let result = text;
  let level = queries.filter(({ depth }) => depth === 0);
  for (let depth = 1; level.length > 0; depth += 1) {
    const changes = level.flatMap((embedded) => changeOf(result, embedded, replace) ?? []);
    result = withChanges(result, changes);
    // Templates in the values of others have moved.
    const hasInner = queries.some((embedded) => embedded.depth === depth);
    level = hasInner ? templatesIn(result).filter((embedded) => embedded.depth === depth) : [];
  }
  return result;
}

/** Why queries that would change are not `formatted` or `fixed`. */
export function unwrittenNotes({ path, text, queries, error }: QueryFile, what: string, replace: Replace) {
  const place = (offset: number): string => {
    const { line, column } = positionAt(text, offset);
    return `${path}:${line}:${column}: not ${what}`;
  };
  if (error !== undefined) return [`${place(error.offset)}: ${error.message}`];
  return queries
    .filter((each) => each.kind === 'fixed' && replace(each) !== each.query)
    .map(({ offset, reason }) => `${place(offset)}, because ${reason}.`);
}

/** What to write in a file in place of one query. The same text if that isn't possible. */
export function withQuery(text: string, embedded: EmbeddedQuery, replace: Replace): string {
  const change = changeOf(text, embedded, replace);
  const result = change === undefined ? text : withChanges(text, [change]);
  return result.slice(embedded.offset, embedded.end + result.length - text.length);
}

/** A query in a file, changed, and what to write for it. */
interface Change extends TextEdit {
  readonly embedded: EmbeddedQuery;
  readonly query: string;
}

function changeOf(text: string, embedded: EmbeddedQuery, replace: Replace): Change | undefined {
  const { query, offset, end, kind } = embedded;
  const changed = kind === 'fixed' || kind === 'template' ? query : replace(embedded);
  const written = kind === 'template' ? inTemplate(text.slice(offset, end), embedded, replace) : changed;
  if (kind === 'template' || kind === 'file')
    return { embedded, query, span: { start: offset, end }, text: written };
  return changed === query ? undefined : inPlace(embedded, changed);
}

/** Without changes that would change other queries, as a colon in a YAML string does. Reads the file a few times. */
function withChanges(text: string, changes: readonly Change[]): string {
  const read = changes.find(({ embedded }) => embedded.read !== undefined)?.embedded.read;
  const before = read?.(text);
  let kept = changes;
  for (let reads = 0; reads < 4; reads += 1) {
    const result = kept.toSorted((a, b) => b.span.start - a.span.start).reduce(applyEdit, text);
    const after = before && read!(result);
    const queries = new Map(kept.map(({ embedded, query }) => [embedded.offset, query]));
    const wrong = before?.find(({ query, offset, kind }, place) => {
      return kind !== 'template' && after![place]?.query !== (queries.get(offset) ?? query);
    });
    if (wrong === undefined && after?.length === before?.length) return result;
    // The changes before the first wrong query are right.
    const last = wrong?.offset ?? 0;
    kept = kept.filter(({ embedded }) => embedded.offset !== last && (reads < 2 || embedded.offset < last));
  }
  return text;
}

function inTemplate(raw: string, embedded: EmbeddedQuery, replace: Replace): string {
  // A backslash before a backtick would be lost.
  if (/\\[`$]/.test(raw)) return raw;
  const changed = replace(embedded);
  if (changed === embedded.query || /`|\$\{/.test(changed)) return raw;
  // A value of the template would be lost.
  return withTemplateValues(changed, raw, embedded.values) ?? raw;
}

/** Changes only what differs. */
function inPlace(embedded: EmbeddedQuery, changed: string): Change {
  const { query, end, encode } = embedded;
  const { span, part } = difference(query, changed);
  // A blank line has no prefix that a part of the query could follow.
  const [blank] = /\n*$/.exec(query.slice(0, span.start))!;
  const start = fileOffset(embedded, span.start - blank.length);
  const stop = span.end === query.length ? end : fileOffset(embedded, span.end);
  const text = encode!(blank + part, changed[span.start + part.length] ?? '');
  return { embedded, query: changed, span: { start, end: Math.max(start, stop) }, text };
}

/** The part of a query that another text replaces. */
export function difference(query: string, changed: string): { readonly span: Span; readonly part: string } {
  const limit = Math.min(query.length, changed.length);
  let start = 0;
  while (start < limit && query[start] === changed[start]) start += 1;
  let tail = 0;
  while (tail < limit - start && query.at(-1 - tail) === changed.at(-1 - tail)) tail += 1;
  return {
    span: { start, end: query.length - tail },
    part: changed.slice(start, changed.length - tail),
  };
}
