import { type ArgumentNode, QueryTextError, type SavedQueryNode } from '../../language/index.ts';
import { parameterDefaults } from '../../language/parameter-defaults.ts';
import { suggestion } from '../query-library.ts';
import { readText } from '../signature/argument-types.ts';
import type { Scope } from '../signature/scope.ts';
import { type Compilation, PLATFORM_QUERIES, type SavedQueryText } from './compilation.ts';

const MAX_DEPTH = 20;

/**
 * Resolves the saved query of a call.
 *
 * @param callers the saved queries that enclose the call, outermost first.
 * @throws QueryError if there is none, if it calls itself, or if calls are nested too deeply.
 */
export function requireSavedQuery(
  node: SavedQueryNode,
  callers: readonly string[],
  { scope, compilation }: { readonly scope: Scope; readonly compilation: Compilation },
): SavedQueryText {
  const { name } = node;
  if (callers.includes(name)) {
    const circle = [...callers.slice(callers.indexOf(name)), name].map((each) => JSON.stringify(each));
    return scope.fail(node.span, `A saved query must not call itself: ${circle.join(' calls ')}`);
  }
  if (callers.length >= MAX_DEPTH) {
    return scope.fail(node.span, `Saved queries can call each other at most ${MAX_DEPTH} levels deep`);
  }
  const saved = readingErrorsOf(node, scope, () => compilation.savedQuery(name));
  if (saved === 'tooMany') {
    return scope.fail(node.span, 'The saved queries of this query call each other too many times');
  }
  if (saved !== undefined && saved.text === PLATFORM_QUERIES.get(name)) {
    scope.warn(`$${name}() leaves events unchanged: the service does not publish its table of names.`);
  }
  if (saved !== undefined) return saved;
  const known = scope.library.savedQueryNames();
  return scope.fail(node.span, `There is no saved query ${JSON.stringify(name)}${suggestion(name, known)}`);
}

/** The value of a parameter; a saved query can receive an array. */
export type GivenValue = string | readonly string[];

/**
 * Evaluates the arguments of a call. An argument whose value is a parameter without a value counts as absent.
 *
 * @throws QueryError for a repeated name, or one that is not a parameter of the saved query or of those it calls.
 */
export function savedQueryArguments(
  node: SavedQueryNode,
  { tree }: SavedQueryText,
  { scope, compilation }: { readonly scope: Scope; readonly compilation: Compilation },
): ReadonlyMap<string, GivenValue> {
  const values = new Map<string, GivenValue>();
  if (node.arguments.length === 0) return values;
  const known = parameterDefaults(tree, (name) => compilation.peekSavedQuery(name)?.tree);
  for (const { name: field, value, span } of node.arguments) {
    const name = field?.name ?? '';
    if (values.has(name)) scope.fail(span, `The saved query "${node.name}" has "${name}" twice`);
    if (!known.has(name)) {
      const hint = suggestion(name, [...known.keys()]);
      scope.fail(field?.span ?? span, `The saved query "${node.name}" has no parameter "${name}"${hint}`);
    }
    const list = readList(value, scope);
    if (list === undefined && value.kind === 'Parameter' && !scope.parameter(value).given) continue;
    const read =
      list ??
      readText(value, scope) ??
      scope.fail(
        value.span,
        `The argument "${name}" of a saved query must be a string, a number, a parameter or an array of these (got ${scope.textAt(value.span)})`,
      );
    values.set(name, read);
  }
  return values;
}

/** The values of an array, or of a parameter with an array. */
function readList(node: ArgumentNode['value'], scope: Scope): readonly string[] | undefined {
  if (node.kind === 'Parameter') return scope.parameterList(node);
  if (node.kind !== 'Array') return undefined;
  const texts = node.elements.map((element) =>
    element.kind === 'Assignment' ? undefined : readText(element, scope),
  );
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

/** Errors inside a saved query are reported at the call. */
export function readingErrorsOf<T>(node: SavedQueryNode, scope: Scope, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof QueryTextError)) throw error;
    const place = `line ${error.line}, column ${error.column}`;
    const problem = error.message.replace(` (${place})`, '');
    return scope.fail(node.span, `${problem}, in ${place} of the saved query "${node.name}"`);
  }
}
