import { LogOptionsException } from '../../core/errors.ts';
import type { LogSource } from '../log-source.ts';
import type { DropCounts } from '../loggers/capture-delivery.ts';
import type { PendingAssertions } from './pending-assertions.ts';

/** Shared by the ESM and the CommonJS copy of the package. */
export const ASSERTION_TARGET: unique symbol = Symbol.for('logclient.assertion-target') as never;

/** The parts of a `LogTest` that matchers and assertions use. */
export interface AssertionTarget {
  readonly source: LogSource;
  readonly pending: PendingAssertions;
  /** Says that there are no records, and why that may be. */
  readonly absence: () => readonly string[];
  /** Undelivered records of captured and tracked loggers, and why. */
  readonly undelivered: () => readonly string[];
  /** Whether a logger was captured or tracked at any time. */
  readonly hadLogger: () => boolean;
  /** Dropped records of each captured or tracked logger. */
  readonly dropped: () => readonly DropCounts[];
}

/** An object that matchers accept: a `LogTest`. */
export interface AssertionSubject {
  readonly [ASSERTION_TARGET]: AssertionTarget;
}

export function isAssertionSubject(value: unknown): value is AssertionSubject {
  return typeof value === 'object' && value !== null && ASSERTION_TARGET in value;
}

/** @throws LogOptionsException if no record could arrive, so that an assertion proves nothing */
export async function requireInput({
  hadLogger,
  source,
}: Pick<AssertionTarget, 'hadLogger' | 'source'>): Promise<void> {
  if (hadLogger() || (await source.find({ kind: 'query', queryString: 'head(1)' }, {})).length > 0) return;
  throw new LogOptionsException(
    'No logger is captured or tracked, and no record has arrived, so this proves nothing: call logs.capture(logger) or logs.track(logger). If another process logs, wait for one of its records first.',
  );
}
