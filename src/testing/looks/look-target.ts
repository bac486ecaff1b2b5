import type { LogSource } from './log-source.ts';
import type { OpenLooks } from './open-looks.ts';

/** Shared by the ESM and the CommonJS copy of the package. */
export const LOOK_TARGET: unique symbol = Symbol.for('logclient.look-target') as never;

/** The parts of a `LogTest` that matchers and assertions use. */
export interface LookTarget {
  readonly source: LogSource;
  readonly looks: OpenLooks;
  readonly hints: () => readonly string[];
  /** Undelivered records of captured loggers, and why. */
  readonly undelivered: () => readonly string[];
}

/** An object that matchers accept: a `LogTest`. */
export interface Lookable {
  readonly [LOOK_TARGET]: LookTarget;
}

export function isLookable(value: unknown): value is Lookable {
  return typeof value === 'object' && value !== null && LOOK_TARGET in value;
}
