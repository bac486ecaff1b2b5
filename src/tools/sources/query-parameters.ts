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
