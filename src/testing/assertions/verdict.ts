import type { ResolvedExpectation } from '../expectations/expectation.ts';
import type { AssertionOptions } from '../log-source.ts';
import type { Paint } from '../report/paint.ts';
import type { AssertionTarget } from './assertion-target.ts';

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
  /** If more records could change the result: how they were searched for. */
  readonly searched?: AssertionOptions | undefined;
  /** Whether later records can't change the result. */
  readonly isFinal?: boolean | undefined;
  /** Explains a failure as lines. Called only for failures, because it needs further queries. */
  explain(): string[] | Promise<string[]>;
}
