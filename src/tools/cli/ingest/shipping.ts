import { countText } from '../../../core/count-text.ts';
import { DELIVERED_AGAIN } from '../../../ingest/pipeline.ts';
import { CommandFailure } from '../../output/command-failure.ts';
import { EXIT_USAGE } from '../../output/exit-code.ts';
import { withFlagNames } from '../../output/flag-names.ts';
import { interruptSignal, throwUnlessCtrlC } from '../../output/interruption.ts';
import { Outage } from '../../output/outage.ts';
import { writeNote } from '../../output/standard-output.ts';
import type { SourceRecord } from '../../settings/line-sources.ts';
import type { IngestFlags } from './ingest-flags.ts';

const DEFAULT_RETRY_TIMEOUT_SECONDS = 60;

/** State of one command: what happened to its records, and what ends it. */
export class Shipping {
  readonly flags: IngestFlags;
  /** Number of records read. */
  read = 0;
  /** Records that the service confirmed. */
  delivered = 0;
  /** Records whose longest strings were cut. */
  shortened = 0;
  /** What has to change before the service accepts the next record. */
  obstacle: CommandFailure | undefined;
  #rejected = 0;
  #rejection = '';
  readonly #target: string;
  readonly #failing = new Set<object>();
  readonly #outage = new Outage((message) => this.say(message));
  readonly #stopping = new AbortController();
  /** Aborts when delivery has failed or the command is stopped. */
  readonly signal = AbortSignal.any([interruptSignal(), this.#stopping.signal]);

  /** @param target where the records go, for the report at the end. */
  constructor(flags: IngestFlags, target: string) {
    this.flags = flags;
    this.#target = target;
  }

  /** How long to retry while the service accepts nothing. */
  get retryTimeoutSeconds(): number {
    const { retryTimeout, follow } = this.flags;
    return retryTimeout ?? (follow === true ? Number.POSITIVE_INFINITY : DEFAULT_RETRY_TIMEOUT_SECONDS);
  }

  /** @param reason why the service rejected the first of these records. */
  reject(records: number, reason: string): void {
    if (this.#rejected === 0) this.#rejection = reason;
    this.#rejected += records;
  }

  stop(error: unknown): void {
    // Status 2 means that nothing was done.
    const isLate = this.read > 0 && error instanceof CommandFailure && error.exitCode === EXIT_USAGE;
    this.#stopping.abort(isLate ? new CommandFailure(error.message) : error);
  }

  /** Reports an outage of one shipper, although each has it. */
  failing(shipper: object, message: string, attempts: number): void {
    this.#failing.add(shipper);
    if (this.#failing.keys().next().value === shipper) this.#outage.failed(withFlagNames(message), attempts);
  }

  /** Reports the end of an outage once it is over for all shippers. */
  recovered(shipper: object): void {
    if (this.#failing.delete(shipper) && this.#failing.size === 0) this.#outage.ended(DELIVERED_AGAIN);
  }

  /** Writes a note to stderr, unless `--quiet`. */
  say(message: string): void {
    if (this.flags.quiet !== true) writeNote(`logclient: ${message}`);
  }

  /** Reports how many records were delivered. @param first the first of the others @throws what has ended the command, or CommandFailure unless all were */
  finish(first: SourceRecord | undefined): void {
    const left = this.read - this.delivered - this.#rejected;
    const place =
      first?.line == null
        ? ''
        : ` The first is at line ${first.line} of ${first.file === '-' ? 'stdin' : first.file}.`;
    const rest = `${countText(left, this.delivered > 0 ? 'more record' : 'record')} ${left === 1 ? 'was' : 'were'} read but not confirmed.${place}`;
    const shipped = `shipped ${countText(this.delivered, 'record')} to ${this.#target}${this.read === 0 ? ': the input has no lines' : ''}.`;
    if (left > 0) writeNote(`logclient: ${shipped} ${rest}`);
    else if (this.read > 0 || !this.signal.aborted) this.say(shipped);
    if (this.shortened > 0)
      this.say(`cut the longest strings of ${countText(this.shortened, 'record')} over 1 MB.`);
    if (this.flags.follow === true) throwUnlessCtrlC(this.signal);
    else this.signal.throwIfAborted();
    if (this.#rejected > 0) {
      const rejected = this.#rejected.toLocaleString('en');
      throw new CommandFailure(
        `the service rejected ${rejected} of ${countText(this.read, 'record')}: ${this.#rejection}`,
      );
    }
    if (left > 0) throw new CommandFailure('', this.obstacle?.exitCode);
  }
}
