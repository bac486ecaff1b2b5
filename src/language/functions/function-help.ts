import type { FunctionDoc } from './docs/function-doc.ts';
import { FUNCTION_GROUPS } from './docs/index.ts';
import { findSignature } from './find-function.ts';
import type { FunctionSignature } from './signature.ts';

/** The documentation of a function. */
export interface FunctionHelp extends FunctionSignature {
  /** The call in one line, such as `head([limit=200])`. Brackets mark optional parameters. */
  readonly usage: string;
  /** What it does, in one sentence. */
  readonly description: string;
  /** A query that uses it. */
  readonly example: string;
}

let known: ReadonlyMap<string, FunctionDoc> | undefined;

function docs(): ReadonlyMap<string, FunctionDoc> {
  known ??= new Map(FUNCTION_GROUPS.flatMap(({ functions }) => Object.entries(functions)));
  return known;
}

/**
 * The documentation of a function by its name, ignoring case; `undefined` if there is none.
 *
 * @example
 * ```ts
 * describeFunction('top')?.usage; // 'top(field, [limit=10], [sum], [max], [percent=false], [rest], [as])'
 * ```
 */
export function describeFunction(name: string): FunctionHelp | undefined {
  const signature = findSignature(name);
  const doc = signature && docs().get(signature.name);
  if (signature === undefined || doc === undefined) return undefined;
  return { ...signature, usage: usageOf(signature), description: doc.sentence, example: doc.example };
}

function usageOf({ name, parameters, anyName }: FunctionSignature): string {
  if (anyName !== undefined) return `${name}(name=value, …)`;
  const written = parameters.map(({ name: parameter, isRequired, isUnnamed, defaultValue }) => {
    if (isRequired === true) return isUnnamed === true ? parameter : `${parameter}=…`;
    return defaultValue === undefined || /\s/.test(defaultValue)
      ? `[${parameter}]`
      : `[${parameter}=${defaultValue}]`;
  });
  return `${name}(${written.join(', ')})`;
}

/** The names of all functions. */
export function functionList(): readonly string[] {
  return [...docs().keys()];
}
