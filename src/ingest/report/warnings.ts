import { writeSync } from 'node:fs';
import type { Clock, Timer } from '../../core/clock.ts';
import { callHook } from '../hook-call.ts';
import { type ProcessExitListener, processExit } from '../process/process-exit.ts';
import type { DeliveryEvent } from './delivery-event.ts';
import type { Warning, WarningKind } from './warning.ts';

/** Kinds that can be skipped: the next warning of the kind replaces them. */
type StatusKind = 'retry' | 'attention' | 'spool' | 'tags' | 'internal';

/** Kinds that report lost records. They are combined, never skipped. */
type LossKind = Exclude<WarningKind, 'retry' | 'attention' | 'spool' | 'tags'>;

const INTERVAL_MS = 30_000;

/** Maximum number of losses reported after exit. A hook that logs causes the next one. */
const MAX_AFTER_EXIT = 10;

const STDERR = 2;

/** The body of a response could forge lines, or control the terminal. */
const CONTROL = /[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu;

/** Lost records that are not reported yet. */
interface UnreportedLoss {
  readonly records: number;
  readonly messageFor: (records: number) => string;
  readonly timer: Timer;
}

/**
 * Writes warnings to stderr, never to the logger: the first of each kind immediately, then one line per 30 seconds.
 * Losses in between are combined, and always reported, at the latest on exit.
 */
export class Warnings implements ProcessExitListener {
  readonly #clock: Clock;
  readonly #onWarning: ((warning: Warning) => void) | undefined;
  readonly #onEvent: ((event: DeliveryEvent) => void) | undefined;
  readonly #redact: (text: string) => string;
  readonly #exit: typeof processExit;
  readonly #shownAt = new Map<WarningKind, number>();
  readonly #unreported = new Map<LossKind, UnreportedLoss>();
  /** Set while a hook runs, because losses that it causes must not call it again immediately. */
  #isShowing = false;
  #lossesAfterExit = 0;

  /**
   * @param onWarning replaces stderr; `onEvent` gets each warning in addition.
   * @param redact removes secrets, which errors of the program may contain.
   */
  constructor(
    clock: Clock,
    onWarning?: (warning: Warning) => void,
    onEvent?: (event: DeliveryEvent) => void,
    redact = (text: string): string => text,
    exit = processExit,
  ) {
    this.#clock = clock;
    this.#onWarning = onWarning;
    this.#onEvent = onEvent;
    this.#redact = redact;
    this.#exit = exit;
  }

  /** @returns false if the warning is skipped, because the last one of its kind is too recent. */
  report(kind: StatusKind, message: () => string): boolean {
    if (this.#restMs(kind) > 0) return false;
    this.reportAlways(kind, message());
    return true;
  }

  /** @param messageFor returns the message for a number of combined records. */
  reportLoss(kind: LossKind, records: number, messageFor: (records: number) => string): void {
    if (this.#exit.hasEnded() && ++this.#lossesAfterExit > MAX_AFTER_EXIT) return;
    // On exit, there is no later line that could include them.
    const restMs = this.#exit.hasEnded() && !this.#isShowing ? 0 : this.#restMs(kind);
    const before = this.#unreported.get(kind);
    const timer = before?.timer ?? this.#clock.startTimer(restMs, () => this.#reportLoss(kind));
    this.#unreported.set(kind, { records: records + (before?.records ?? 0), messageFor, timer });
    if (restMs === 0) this.#reportLoss(kind);
    else this.#exit.watch(this);
  }

  atExit(): void {
    this.reportLosses();
  }

  reportLosses(): void {
    if (this.#isShowing) return;
    for (const kind of [...this.#unreported.keys()]) this.#reportLoss(kind);
  }

  #reportLoss(kind: LossKind): void {
    const loss = this.#unreported.get(kind);
    if (loss === undefined) return;
    loss.timer.cancel();
    this.#unreported.delete(kind);
    if (this.#unreported.size === 0) this.#exit.unwatch(this);
    this.reportAlways(kind, loss.messageFor(loss.records));
  }

  #restMs(kind: WarningKind): number {
    const sinceMs = this.#clock.now() - (this.#shownAt.get(kind) ?? Number.NEGATIVE_INFINITY);
    // Negative if the clock was set back.
    return sinceMs < 0 ? 0 : Math.max(0, INTERVAL_MS - sinceMs);
  }

  /** Reports a warning even if the last one of its kind is recent. */
  reportAlways(kind: WarningKind, text: string): void {
    const message = this.#redact(text).replace(CONTROL, ' ');
    // First, because the hook may log, and lose records again.
    this.#shownAt.set(kind, this.#clock.now());
    this.#onEvent?.({ name: 'warn', value: { kind, message } });
    this.#isShowing = true;
    // A failing hook or a closed stderr must not stop delivery.
    callHook(
      () => this.#write({ kind, message }),
      () => {},
    );
    this.#isShowing = false;
  }

  #write(warning: Warning): unknown {
    if (this.#onWarning !== undefined) return this.#onWarning(warning);
    // Synchronous: in a worker, `process.stderr` needs the main thread, which may be exiting.
    return writeSync(STDERR, `logclient: ${warning.message}\n`);
  }
}
