import { meantName } from '../../core/nearest-name.ts';
import { tryOr } from '../../core/try-or.ts';
import { parse } from '../../language/index.ts';
import { parameterDefaults } from '../../language/parameter-defaults.ts';

type Values = Readonly<Record<string, unknown>>;
const treeOf = (text: string) => tryOr(undefined, () => parse(text));

/** The parameters of a query and of those that it calls, each with its default; `undefined` if the query is invalid. */
export function parametersOf(query: string, savedQueries: Readonly<Record<string, string>> = {}) {
  const tree = treeOf(query);
  return tree && parameterDefaults(tree, (name) => treeOf(savedQueries[name] ?? ''));
}

/**
 * Why values don't fit the parameters of a valid query: no parameter has the name of a value, or a parameter is open: it
 * stays `*`, so a test would prove nothing.
 *
 * @param others names of other parameters that may use the values
 */
export function argumentProblems(
  parameters: ReturnType<typeof parametersOf>,
  values: Values = {},
  others: readonly string[] = [],
) {
  const known = [...(parameters?.keys() ?? Object.keys(values)), ...others];
  const [unknown] = Object.keys(values)
    .filter((name) => !known.includes(name))
    .map((name) => `the query has no parameter "${name}". ${meantName(name, known)}`.trimEnd());
  const [open] = [...(parameters ?? [])]
    .filter(([name, text]) => (Object.hasOwn(values, name) ? values[name] : text) === undefined)
    .map(([name]) => `the parameter "${name}" has no value, so it would match any value.`);
  return { unknown, open };
}
