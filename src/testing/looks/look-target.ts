import type { LogSource } from './log-source.ts';
import type { OpenLooks } from './open-looks.ts';

/** Shared by the ESM and the CommonJS copy of the package. */
export const LOOK_TARGET: unique symbol = Symbol.for('logclient.look-target') as never;

/** What matchers and assertions see of a `LogTest`. */
export interface LookTarget {
  readonly source: LogSource;
  readonly looks: OpenLooks;
  readonly hints: () => readonly string[];
  /** What captured loggers have logged that has not arrived, and why. */
  readonly undelivered: () => readonly string[];
}

/** What can be looked at. */
export interface Lookable {
  readonly [LOOK_TARGET]: LookTarget;
}

export function isLookable(value: unknown): value is Lookable {
  return typeof value === 'object' && value !== null && LOOK_TARGET in value;
}
