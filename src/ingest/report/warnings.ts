import { writeSync } from 'node:fs';
import type { Clock, Timer } from '../../internal/clock.ts';
import { callHook } from '../../internal/hook-call.ts';
import {
  hasProcessExited,
  type ProcessExitListener,
  unwatchProcessExit,
  watchProcessExit,
} from '../process/process-exit.ts';
import type { EventThrottle } from './event-throttle.ts';
import type { Warning, WarningKind } from './warning.ts';

/** What is of no interest any more when it is over. */
type PassingKind = 'retry' | 'attention' | 'spool' | 'internal';

/** What stands for records that are gone. */
type LossKind = Exclude<WarningKind, 'retry' | 'attention' | 'spool'>;

type WarningListener = Pick<EventThrottle, 'warned'> | undefined;

const INTERVAL_MS = 30_000;

const STDERR = 2;

/** Records that are lost and that nobody has been told of. */
interface Untold {
  readonly records: number;
  readonly messageFor: (records: number) => string;
  readonly timer: Timer;
}

/**
 * Tells people about trouble, on stderr and never through the logger: the first of a kind at once, after that one
 * line in 30 seconds. Losses add up in between and are told in any case, at the latest when the process ends.
 */
export class Warnings implements ProcessExitListener {
  readonly #clock: Clock;
  readonly #onWarning: ((warning: Warning) => void) | undefined;
  readonly #listener: WarningListener;
  readonly #shownAt = new Map<WarningKind, number>();
  readonly #untold = new Map<LossKind, Untold>();
  /** A hook that loses records when it is told of losses must not be told of those at once. */
  #isShowing = false;

  /** @param onWarning replaces stderr; `listener` gets each warning in addition. */
  constructor(clock: Clock, onWarning?: (warning: Warning) => void, listener?: WarningListener) {
    this.#clock = clock;
    this.#onWarning = onWarning;
    this.#listener = listener;
  }

  /** @returns whether it is told, and not left out because its kind was not long ago. */
  report(kind: PassingKind, message: () => string): boolean {
    if (this.#restMs(kind) > 0) return false;
    this.#show(kind, message());
    return true;
  }

  /** For what has to be told, whatever was told before. */
  tell(kind: PassingKind, message: string): void {
    this.#show(kind, message);
  }

  /**
   * @param records how many are lost now.
   * @param messageFor the text, given for how many records it stands.
   */
  reportLoss(kind: LossKind, records: number, messageFor: (records: number) => string): void {
    // At the end there is no later, and the losses that are told of must add up.
    const restMs = hasProcessExited() && !this.#isShowing ? 0 : this.#restMs(kind);
    const before = this.#untold.get(kind);
    const timer = before?.timer ?? this.#clock.startTimer(restMs, () => this.#tell(kind));
    this.#untold.set(kind, { records: records + (before?.records ?? 0), messageFor, timer });
    if (restMs === 0) this.#tell(kind);
    else watchProcessExit(this);
  }

  beforeExit(): void {
    // There will be an exit.
  }

  atExit(): void {
    this.tellLosses();
  }

  /** Tells at once what has added up. */
  tellLosses(): void {
    if (this.#isShowing) return;
    for (const kind of [...this.#untold.keys()]) this.#tell(kind);
  }

  #tell(kind: LossKind): void {
    const untold = this.#untold.get(kind);
    if (untold === undefined) return;
    untold.timer.cancel();
    this.#untold.delete(kind);
    if (this.#untold.size === 0) unwatchProcessExit(this);
    this.#show(kind, untold.messageFor(untold.records));
  }

  /** How long the kind has to wait for its next line. */
  #restMs(kind: WarningKind): number {
    const sinceMs = this.#clock.now() - (this.#shownAt.get(kind) ?? Number.NEGATIVE_INFINITY);
    // A clock that was set back must not silence anybody.
    return sinceMs < 0 ? 0 : Math.max(0, INTERVAL_MS - sinceMs);
  }

  #show(kind: WarningKind, message: string): void {
    // First of all: a hook may log, and what it logs may be lost as well.
    this.#shownAt.set(kind, this.#clock.now());
    this.#listener?.warned({ kind, message });
    this.#isShowing = true;
    // A hook that fails, or nobody who reads stderr: neither may stop the delivery of records.
    callHook(
      () => this.#tellPeople({ kind, message }),
      () => {},
    );
    this.#isShowing = false;
  }

  #tellPeople(warning: Warning): unknown {
    if (this.#onWarning !== undefined) return this.#onWarning(warning);
    // Written at once: `process.stderr` of a worker goes through a main thread that may be about to end.
    return writeSync(STDERR, `logclient: ${warning.message}\n`);
  }
}
