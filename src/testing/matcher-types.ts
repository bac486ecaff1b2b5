import type { LogExpectation } from './expectations/expectation.ts';
import type { LookOptions } from './looks/log-source.ts';
import type { EventualLookOptions } from './looks/look.ts';

/** A `LogTest`, told by members that every copy of the package has: ESM and CommonJS have types of their own. */
interface LogTestLike {
  readonly repository: string;
  readonly ingestToken: string;
  readonly connection: { readonly baseUrl: string };
  flush(): Promise<void>;
}

/** A matcher for what can be looked at; there is none for anything else. */
type MatcherFor<Received, Arguments extends readonly unknown[], Result> = Received extends LogTestLike
  ? (...args: Arguments) => Promise<Awaited<Result>>
  : never;

/** The matchers, as the types of a runner list them. */
export interface LogMatchers<Received, Result = void> {
  /**
   * A record is like that: a query (`level=error service=payments`), or fields (`{ level: 'error', message: /timeout/ }`).
   * Flushes the loggers first; await it.
   */
  toHaveLogged: MatcherFor<Received, [expected: LogExpectation, options?: LookOptions], Result>;
  /** Exactly so many records are like that. Await it. */
  toHaveLoggedTimes: MatcherFor<
    Received,
    [expected: LogExpectation, times: number, options?: LookOptions],
    Result
  >;
  /** Such records come one behind the other; others may be in between. Await it. */
  toHaveLoggedInOrder: MatcherFor<
    Received,
    [expected: readonly LogExpectation[], options?: LookOptions],
    Result
  >;
  /** Waits until a record is like that. Await it. */
  toEventuallyHaveLogged: MatcherFor<
    Received,
    [expected: LogExpectation, options?: EventualLookOptions],
    Result
  >;
}
