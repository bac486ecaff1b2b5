import type { Timer } from '../../core/clock.ts';
import { callHook } from '../../core/hook-call.ts';
import { writeErrorLine } from '../../core/stderr-line.ts';
import type { ProcessExitListener } from '../process/process-exit.ts';
import type { WarnOnce } from '../record/tags.ts';
import type { World } from '../world.ts';
import type { DeliveryEvent } from './delivery-event.ts';
import type { Warning, WarningKind } from './warning.ts';

/** Kinds that can be skipped: the next warning of the kind replaces them. */
type StatusKind = 'retry' | 'attention' | 'spool' | 'internal';

/** Kinds that report lost records. They are combined, never skipped. */
type LossKind = Exclude<WarningKind, 'retry' | 'attention' | 'spool' | Parameters<WarnOnce>[0]>;

/** Ends what a warning has reported. */
export const DELIVERED_AGAIN = 'Records are delivered again.';

const INTERVAL_MS = 30_000;

/** Maximum number of losses reported after exit. A hook that logs causes the next one. */
const MAX_AFTER_EXIT = 10;

/** The body of a response could forge lines, or control the terminal. */
const CONTROL = /[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu;

export interface WarningsOptions {
  readonly world: Pick<World, 'clock' | 'exit'>;
  /** Replaces stderr. */
  readonly onWarning?: ((warning: Warning) => void) | undefined;
  /** Gets each warning in addition. */
  readonly onEvent?: ((event: DeliveryEvent) => void) | undefined;
  /** Removes secrets, which errors of the program may contain. */
  readonly redactText?: ((text: string) => string) | undefined;
}

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
  readonly #options: WarningsOptions;
  readonly #shownAt = new Map<WarningKind, number>();
  readonly #unreported = new Map<LossKind, UnreportedLoss>();
  /** Set while a hook runs, because losses that it causes must not call it again immediately. */
  #isShowing = false;
  #lossesAfterExit = 0;

  constructor(options: WarningsOptions) {
    this.#options = options;
  }

  /** @returns false if the warning is skipped, because the last one of its kind is too recent. */
  report(kind: StatusKind, message: () => string): boolean {
    if (this.#restMs(kind) > 0) return false;
    this.reportAlways(kind, message());
    return true;
  }

  /** Reports the first warning of a kind only. */
  readonly reportOnce: WarnOnce = (kind, message) => {
    if (!this.#shownAt.has(kind)) this.reportAlways(kind, message);
  };

  /** @param messageFor returns the message for a number of combined records. */
  reportLoss(kind: LossKind, records: number, messageFor: (records: number) => string): void {
    const { clock, exit } = this.#options.world;
    if (exit.hasEnded() && ++this.#lossesAfterExit > MAX_AFTER_EXIT) return;
    // On exit, there is no later line that could include them.
    const restMs = exit.hasEnded() && !this.#isShowing ? 0 : this.#restMs(kind);
    const before = this.#unreported.get(kind);
    const timer = before?.timer ?? clock.startTimer(restMs, () => this.#reportLoss(kind));
    this.#unreported.set(kind, { records: records + (before?.records ?? 0), messageFor, timer });
    if (restMs === 0) this.#reportLoss(kind);
    else exit.watch(this);
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
    if (this.#unreported.size === 0) this.#options.world.exit.unwatch(this);
    this.reportAlways(kind, loss.messageFor(loss.records));
  }

  #restMs(kind: WarningKind): number {
    const sinceMs = this.#options.world.clock.now() - (this.#shownAt.get(kind) ?? Number.NEGATIVE_INFINITY);
    // Negative if the clock was set back.
    return sinceMs < 0 ? 0 : Math.max(0, INTERVAL_MS - sinceMs);
  }

  /** Reports a warning even if the last one of its kind is recent. */
  reportAlways(kind: WarningKind, text: string): void {
    const { world, onEvent, redactText = (plain) => plain } = this.#options;
    const { onWarning = (warning) => writeErrorLine(`logclient: ${warning.message}`) } = this.#options;
    const message = redactText(text).replace(CONTROL, ' ');
    // First, because the hook may log, and lose records again.
    this.#shownAt.set(kind, world.clock.now());
    onEvent?.({ name: 'warn', value: { kind, message } });
    this.#isShowing = true;
    // A failing hook or a closed stderr must not stop delivery.
    callHook(
      () => onWarning({ kind, message }),
      () => {},
    );
    this.#isShowing = false;
  }

  /** The end of what a warning has reported. Hooks have their own for it. */
  recovered(): void {
    if (this.#options.onWarning === undefined) writeErrorLine(`logclient: ${DELIVERED_AGAIN}`);
  }
}
