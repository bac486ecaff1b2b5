import type { Scope } from './scope.ts';

/** The arguments of a call, converted to the types of its parameters. */
export interface BoundArguments {
  /** One entry per parameter. */
  readonly named: Readonly<Record<string, unknown>>;
  /** Arguments with arbitrary names, as for `eval`, in order. */
  readonly others: readonly { readonly name: string; readonly value: unknown }[];
}

/** The call, for checks in functions. */
export interface CallSite {
  readonly scope: Scope;
  /** Whether the call sets this parameter. */
  has(parameter: string): boolean;
  /** Fails at the argument of this parameter or, without one, at the call. */
  fail(problem: string, parameter?: string): never;
}
