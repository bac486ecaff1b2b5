import { meantName } from '../../core/nearest-name.ts';
import { tryOr } from '../../core/try-or.ts';
import { parse } from '../../language/index.ts';
import { parameterDefaults } from '../../language/parameter-defaults.ts';

/**
 * Why these values don't fit the parameters of a valid query; `undefined` if they do. A parameter without a value stays `*`, so
 * a test would prove nothing.
 *
 * @param others further queries that may use the values
 */
export function argumentProblem(
  query: string,
  values: Readonly<Record<string, unknown>> = {},
  others: readonly string[] = [],
): string | undefined {
  const [own, ...more] = [query, ...others].map((text) =>
    tryOr(undefined, () => parameterDefaults(parse(text))),
  );
  const known = [own, ...more].flatMap((defaults) => [...(defaults?.keys() ?? [])]);
  const unknown = Object.keys(values).find((name) => !known.includes(name));
  if (unknown !== undefined)
    return `the query has no parameter "${unknown}". ${meantName(unknown, known)}`.trimEnd();
  const open = [...(own ?? [])].find(
    ([name, given]) => (Object.hasOwn(values, name) ? values[name] : given) === undefined,
  );
  return open && `the parameter "${open[0]}" has no value, so it would match any value.`;
}
