import { meantName } from '../../core/nearest-name.ts';
import { tryOr } from '../../core/try-or.ts';
import { parse } from '../../language/index.ts';
import { parameterDefaults } from '../../language/parameter-defaults.ts';

type Values = Readonly<Record<string, unknown>>;
const defaultsIn = (query: string) => tryOr(undefined, () => parameterDefaults(parse(query)));

/** Why these values don't fit the parameters of a valid query; `undefined` if they do. @param others as below */
export function argumentProblem(query: string, values: Values = {}, others: readonly string[] = []) {
  return unknownArgument(query, values, others) ?? openParameter(query, values);
}

/** That no parameter has the name of a value. @param others further queries that may use the values */
export function unknownArgument(query: string, values: Values, others: readonly string[] = []) {
  const known = [query, ...others].flatMap((text) => [...(defaultsIn(text)?.keys() ?? [])]);
  const unknown = Object.keys(values).find((name) => !known.includes(name));
  if (unknown === undefined) return undefined;
  return `the query has no parameter "${unknown}". ${meantName(unknown, known)}`.trimEnd();
}

/** That a parameter has no value: it stays `*`, so a test would prove nothing. */
export function openParameter(query: string, values: Values): string | undefined {
  const open = [...(defaultsIn(query) ?? [])].find(
    ([name, given]) => (Object.hasOwn(values, name) ? values[name] : given) === undefined,
  );
  return open && `the parameter "${open[0]}" has no value, so it would match any value.`;
}
