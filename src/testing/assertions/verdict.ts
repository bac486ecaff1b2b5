import type { Paint } from '../report/paint.ts';
import type { AssertionTarget } from './assertion-target.ts';

/** What a look was told about itself. */
export interface AssertionContext
  extends Pick<AssertionTarget, 'source' | 'hints' | 'undelivered' | 'dropped'> {
  /** The opposite is expected. */
  readonly isNot: boolean;
  readonly paint: Paint;
  /** The test is over: nobody waits for the look any more. */
  readonly isOver: () => boolean;
}

/** What a look has found. */
export interface Verdict {
  readonly pass: boolean;
  /** No record that is still to come can change that. */
  readonly isFinal?: boolean | undefined;
  /** Why that is a failure, as lines. Only for one that is: finding that out takes more looks. */
  explain(): string[] | Promise<string[]>;
}
