import { withTemplateValues } from '../../language/index.ts';
import { type EmbeddedQuery, type QuerySource, templatesIn } from './query-sources.ts';

/** The text of a file with other queries in it. A template stays as it is if one of its values would be lost. */
export function replaceQueries(
  { text, queries }: QuerySource,
  replace: (query: EmbeddedQuery) => string,
): string {
  let result = text;
  let level = queries.filter(({ depth }) => depth === 0);
  for (let depth = 1; level.length > 0; depth += 1) {
    for (const embedded of level.toReversed()) {
      const { offset, query } = embedded;
      const changed = withQuery(result, embedded, replace);
      result = result.slice(0, offset) + changed + result.slice(offset + query.length);
    }
    // Templates in the values of others have moved.
    const hasInner = queries.some((embedded) => embedded.depth === depth);
    level = hasInner ? templatesIn(result).filter((embedded) => embedded.depth === depth) : [];
  }
  return result;
}

/** What to write in a file in place of one query. The same text if a value of a template would be lost. */
export function withQuery(
  text: string,
  embedded: EmbeddedQuery,
  replace: (query: EmbeddedQuery) => string,
): string {
  const { query, offset, values, isTemplate } = embedded;
  const raw = text.slice(offset, offset + query.length);
  // A backslash before a backtick would be lost.
  if (isTemplate && /\\[`$]/.test(raw)) return raw;
  const changed = replace(embedded);
  if (changed === query || (isTemplate && /`|\$\{/.test(changed))) return raw;
  return withTemplateValues(changed, raw, values) ?? raw;
}
