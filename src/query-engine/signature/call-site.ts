import type { Scope } from './scope.ts';

/** The arguments of a call, converted to the types of the function's parameters. */
export interface BoundArguments {
  /** One entry for each parameter. */
  readonly named: Readonly<Record<string, unknown>>;
  /** What `eval` takes: arguments with names of the caller's choice, in their order. */
  readonly others: readonly { readonly name: string; readonly value: unknown }[];
}

/** The call, for what a function checks on its own. */
export interface CallSite {
  readonly scope: Scope;
  /** Whether the call gives this parameter. */
  has(parameter: string): boolean;
  /** Fails at the argument of this parameter, or at the call when it gives none. */
  fail(problem: string, parameter?: string): never;
}
