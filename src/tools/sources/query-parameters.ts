import { meantName } from '../../core/nearest-name.ts';
import { tryOr } from '../../core/try-or.ts';
import { parse, walk } from '../../language/index.ts';

/** The parameters of a query, and whether they have a default. */
export function parametersOf(query: string): ReadonlyMap<string, boolean> {
  const parameters = new Map<string, boolean>();
  walk(parse(query), {
    Parameter({ name, defaultValue }) {
      parameters.set(name, parameters.get(name) === true || defaultValue !== undefined);
    },
  });
  return parameters;
}

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
  const [own, ...more] = [query, ...others].map((text) => tryOr(new Map(), () => parametersOf(text)));
  const known = [own!, ...more].flatMap((parameters) => [...parameters.keys()]);
  const unknown = Object.keys(values).find((name) => !known.includes(name));
  if (unknown !== undefined)
    return `the query has no parameter "${unknown}". ${meantName(unknown, known)}`.trimEnd();
  const open = [...own!].find(([name, hasDefault]) =>
    Object.hasOwn(values, name) ? values[name] === undefined : !hasDefault,
  );
  return open && `the parameter "${open[0]}" has no value, so it would match any value.`;
}
