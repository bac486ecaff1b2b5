import type { ResolvedExpectation } from '../expectations/expectation.ts';
import type { AssertionOptions, LogSource } from '../log-source.ts';
import type { TestedLogger } from '../loggers/capture-delivery.ts';
import type { Paint } from '../report/paint.ts';
import type { PendingAssertions } from './pending-assertions.ts';

/** Shared by the ESM and the CommonJS copy of the package. */
export const ASSERTION_TARGET: unique symbol = Symbol.for('logclient.assertion-target') as never;

/** The parts of a `LogTest` that matchers and assertions use. */
export interface AssertionTarget {
  readonly source: LogSource;
  readonly pending: PendingAssertions;
  /** The loggers that were captured or tracked at any time. */
  readonly loggers: readonly TestedLogger[];
}

/** The input of an assertion. */
export interface AssertionContext extends Omit<AssertionTarget, 'pending'> {
  /** Whether the assertion is negated. */
  readonly isNot: boolean;
  readonly paint: Paint;
  /** Whether the test has ended, so no caller is waiting. */
  readonly isOver: () => boolean;
}

/** Evaluates a validated assertion. */
export type LogAssertion = (context: AssertionContext) => Promise<Verdict>;

/** The result of an assertion. */
export interface Verdict {
  readonly pass: boolean;
  /** What was expected; of several, the first one without a match. */
  readonly expectation?: ResolvedExpectation | undefined;
  /** If more records could change the result: how they were searched for. Otherwise, it is final. */
  readonly searched?: AssertionOptions | undefined;
  /** Explains a failure as lines. Called only for failures, because it needs further queries. */
  explain(): string[] | Promise<string[]>;
}
