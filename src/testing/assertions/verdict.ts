import type { Paint } from '../report/paint.ts';
import type { LogSource } from './log-source.ts';

/** What a look was told about itself. */
export interface AssertionContext {
  readonly source: LogSource;
  /** The opposite is expected. */
  readonly isNot: boolean;
  readonly paint: Paint;
  /** What is worth knowing when nothing was logged at all. */
  readonly hints: () => readonly string[];
  /** What was logged and has not arrived, and why. */
  readonly undelivered: () => readonly string[];
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
