import type { LogSource } from '../log-source.ts';
import type { TestedLogger } from '../loggers/capture-delivery.ts';
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
