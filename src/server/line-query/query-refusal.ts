import { compileQuery, MISSING_FILE, type QueryLibrary } from '../../engine/index.ts';
import { parse, QueryTextError, type Span, walk } from '../../language/index.ts';

/** The query depends on something unknown, so the rest can't be compiled. */
class UnknownReferenceError extends Error {}

function failUnknown(): never {
  throw new UnknownReferenceError();
}

/** Lookup files have any columns; saved queries and repositories can be anything. */
const UNKNOWN_LIBRARY: QueryLibrary = {
  file: () => MISSING_FILE,
  fileNames: () => [],
  savedQuery: failUnknown,
  savedQueryNames: () => [],
  repositoryNames: failUnknown,
};

/**
 * Why a query can't be compiled, whatever its lookup files, saved queries, repositories and parameters are. `undefined` if
 * it can, or if that depends on them.
 */
export function refusalOf(queryString: string): QueryTextError | undefined {
  const open: Span[] = [];
  try {
    walk(parse(queryString), {
      Parameter: ({ defaultValue, span }) => void (defaultValue === undefined && open.push(span)),
    });
    compileQuery(queryString, { library: UNKNOWN_LIBRARY });
  } catch (error) {
    if (error instanceof UnknownReferenceError) return undefined;
    if (!(error instanceof QueryTextError)) throw error;
    const { start, end } = error.span;
    return open.some((span) => span.start >= start && span.end <= end) ? undefined : error;
  }
  return undefined;
}
