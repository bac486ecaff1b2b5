import type { FunctionSpec } from '../signature/function-spec.ts';
import * as functions from './all.ts';

const FUNCTIONS: readonly FunctionSpec[] = Object.values(functions).flat();

const byName: ReadonlyMap<string, FunctionSpec> = new Map(
  FUNCTIONS.map((spec) => [spec.name.toLowerCase(), spec]),
);

/** Finds a function by name, ignoring case. */
export function findFunction(name: string): FunctionSpec | undefined {
  return byName.get(name.toLowerCase());
}

/** The names of all functions, as the service spells them. */
export function functionNames(): readonly string[] {
  return FUNCTIONS.map(({ name }) => name);
}
