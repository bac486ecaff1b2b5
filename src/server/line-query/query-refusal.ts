import { compileQuery, QueryError, type QueryLibrary, UNKNOWN_FILE } from '../../engine/index.ts';
import { parse, QuerySyntaxError, type Span, walk } from '../../language/index.ts';
import { parameterDefaults } from '../../language/parameter-defaults.ts';

/** The query depends on something unknown, so the rest can't be compiled. */
class UnknownReferenceError extends Error {}

function failUnknown(): never {
  throw new UnknownReferenceError();
}

const UNKNOWN_LIBRARY: QueryLibrary = {
  file: () => UNKNOWN_FILE,
  fileNames: () => [],
  savedQuery: failUnknown,
  savedQueryNames: () => [],
  repositoryNames: failUnknown,
};

/**
 * Why a query that can be parsed can't be compiled, whatever its lookup files, saved queries, repositories and parameters
 * are. `undefined` if it can, or if that depends on them.
 */
export function refusalOf(queryString: string): QueryError | undefined {
  const open: Span[] = [];
  try {
    const tree = parse(queryString);
    const defaults = parameterDefaults(tree);
    walk(tree, {
      Parameter: ({ name, span }) => void (defaults.get(name) === undefined && open.push(span)),
    });
    compileQuery(queryString, { library: UNKNOWN_LIBRARY });
  } catch (error) {
    if (error instanceof UnknownReferenceError || error instanceof QuerySyntaxError) return undefined;
    if (!(error instanceof QueryError)) throw error;
    const { start, end } = error.span;
    return open.some((span) => span.start >= start && span.end <= end) ? undefined : error;
  }
  return undefined;
}
