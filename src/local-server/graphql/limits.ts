import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type SelectionSetNode,
} from 'graphql';

/** The longest document, in lexical tokens; clients that put rows into the text of a mutation come to some thousands. */
export const MAX_TOKENS = 50_000;
/** Introspection as tools send it goes about 15 deep. */
const MAX_DEPTH = 20;
/** Fields after fragments are put in: a fragment that is used twice counts twice. */
const MAX_FIELDS = 2000;

interface Measure {
  readonly depth: number;
  readonly fields: number;
}

/**
 * Refuses a document that would cost too much. Measured before validation, because rules of validation are slow on
 * such documents themselves.
 *
 * @throws GraphQLError that says which limit was passed.
 */
export function checkLimits(document: DocumentNode): void {
  const measure = documentMeasure(document);
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION && definition.kind !== Kind.FRAGMENT_DEFINITION)
      continue;
    const { depth, fields } = measure(definition.selectionSet);
    if (depth > MAX_DEPTH) throw new GraphQLError(`The query is nested more than ${MAX_DEPTH} levels deep.`);
    if (fields > MAX_FIELDS) throw new GraphQLError(`The query selects more than ${MAX_FIELDS} fields.`);
  }
}

function documentMeasure(document: DocumentNode): (selections: SelectionSetNode) => Measure {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const known = new Map<string, Measure>();

  const measureFragment = (name: string): Measure => {
    const already = known.get(name);
    if (already !== undefined) return already;
    const fragment = fragments.get(name);
    // A fragment that leads back to itself ends here; validation refuses it.
    known.set(name, { depth: 0, fields: 0 });
    const result =
      fragment === undefined ? { depth: 0, fields: 0 } : measureSelections(fragment.selectionSet);
    known.set(name, result);
    return result;
  };

  const measureSelections = (selectionSet: SelectionSetNode): Measure => {
    let depth = 0;
    let fields = 0;
    for (const selection of selectionSet.selections) {
      const inner =
        selection.kind === Kind.FRAGMENT_SPREAD
          ? measureFragment(selection.name.value)
          : measureSelections(selection.selectionSet ?? { kind: Kind.SELECTION_SET, selections: [] });
      const own = selection.kind === Kind.FIELD ? 1 : 0;
      depth = Math.max(depth, inner.depth + own);
      fields += inner.fields + own;
    }
    return { depth, fields };
  };
  return measureSelections;
}
