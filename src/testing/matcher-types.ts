import type { logMatchers } from './matchers.ts';

/** Matches the `LogTest` types of both ESM and CommonJS, which are separate. */
export interface LogTestLike {
  readonly repository: string;
  readonly ingestToken: string;
  readonly connection: { readonly baseUrl: string };
  flush(): Promise<void>;
}

/** What the compiler prints for another value, such as a logger or a promise. */
export type Advice =
  'Write expect(logs) or assertLogged(logs, …) with the fixture of logTest(), or the awaited result of captureLogs(logger).';

/** vitest asks for the matchers of its own state, to check calls of `expect.extend()`. */
type Target = LogTestLike | { readonly assertionCalls: number };

/** A matcher for a `LogTest`. For any other value, its arguments are wrong, or what it is called on if it needs none. */
type MatcherFor<Received, Arguments extends readonly unknown[], Result> = [Received] extends [Target]
  ? (...args: Arguments) => Promise<Awaited<Result>>
  : [] extends Arguments
    ? (this: Advice, ...args: unknown[]) => Promise<void>
    : (advice: Advice, ...args: unknown[]) => Promise<void>;

type ArgumentsOf<Name extends keyof typeof logMatchers> = (typeof logMatchers)[Name] extends (
  received: unknown,
  ...args: infer Arguments
) => unknown
  ? Arguments
  : never;

/** The matchers, for the types of a runner. They flush the loggers first. */
export interface LogMatchers<Received, Result = void> {
  /**
   * Asserts that a record matches a query (`level=error name=payments`) or fields
   * (`{ level: 'error', message: /timeout/ }`). Flushes the loggers first. Returns a promise: `await` it.
   */
  toHaveLogged: MatcherFor<Received, ArgumentsOf<'toHaveLogged'>, Result>;
  /** Asserts that exactly `times` records match, or a number in the range `{ min, max }`. Returns a promise: `await` it. */
  toHaveLoggedTimes: MatcherFor<Received, ArgumentsOf<'toHaveLoggedTimes'>, Result>;
  /** Asserts that records match in this order; others may come between them. Returns a promise: `await` it. */
  toHaveLoggedInOrder: MatcherFor<Received, ArgumentsOf<'toHaveLoggedInOrder'>, Result>;
  /** Waits until a record matches. Returns a promise: `await` it. */
  toEventuallyHaveLogged: MatcherFor<Received, ArgumentsOf<'toEventuallyHaveLogged'>, Result>;
  /** With `not`, asserts that no captured or tracked logger has dropped a record. Returns a promise: `await` it. */
  toHaveDropped: MatcherFor<Received, [], Result>;
  /**
   * Asserts that no record contains a password, token, key or card number, in fields at any depth and in text. Flushes
   * the loggers first. Returns a promise: `await` it.
   */
  toHaveNoSecrets: MatcherFor<Received, ArgumentsOf<'toHaveNoSecrets'>, Result>;
  /**
   * Asserts that each message has a pattern of a baseline file, a path relative to the test. Like snapshots, the patterns
   * of a new test are written, and `-u` replaces them. Tests can share a file. Flushes the loggers first. Returns a promise: `await` it.
   */
  toHaveNoNewPatterns: MatcherFor<Received, [baseline: string], Result>;
}
