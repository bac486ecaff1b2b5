import { type DocumentNode, GraphQLError, Kind, type SelectionSetNode } from 'graphql';

/** Maximum length of a document in tokens; clients that inline rows in a mutation send thousands. */
export const MAX_TOKENS = 50_000;
/** Introspection queries of tools are about 15 levels deep. */
const MAX_DEPTH = 20;
/** Maximum number of fields, counting each use of a fragment. */
const MAX_FIELDS = 2000;

interface Measure {
  readonly depth: number;
  readonly fields: number;
}

/**
 * Rejects documents that are too expensive. Runs before validation, whose rules are slow for such documents.
 *
 * @throws GraphQLError that names the limit.
 */
export function checkLimits(document: DocumentNode): void {
  const measure = documentMeasure(document);
  for (const definition of document.definitions) {
    if (!('selectionSet' in definition)) continue;
    const { depth, fields } = measure(definition.selectionSet);
    if (depth > MAX_DEPTH) throw new GraphQLError(`The query is nested more than ${MAX_DEPTH} levels deep.`);
    if (fields > MAX_FIELDS) throw new GraphQLError(`The query selects more than ${MAX_FIELDS} fields.`);
  }
}

function documentMeasure(document: DocumentNode): (selections: SelectionSetNode | undefined) => Measure {
  const fragments = new Map<string, SelectionSetNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION)
      fragments.set(definition.name.value, definition.selectionSet);
  }
  const known = new Map<string, Measure>();

  const measureFragment = (name: string): Measure => {
    if (!known.has(name)) {
      // Ends a cycle of fragments; validation rejects it.
      known.set(name, { depth: 0, fields: 0 });
      known.set(name, measureSelections(fragments.get(name)));
    }
    return known.get(name)!;
  };

  const measureSelections = (selectionSet: SelectionSetNode | undefined): Measure => {
    let depth = 0;
    let fields = 0;
    for (const selection of selectionSet?.selections ?? []) {
      const inner =
        selection.kind === Kind.FRAGMENT_SPREAD
          ? measureFragment(selection.name.value)
          : measureSelections(selection.selectionSet);
      const own = selection.kind === Kind.FIELD ? 1 : 0;
      depth = Math.max(depth, inner.depth + own);
      fields += inner.fields + own;
    }
    return { depth, fields };
  };
  return measureSelections;
}
