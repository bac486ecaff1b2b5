import { countText } from '../../../core/count-text.ts';
import { CommandFailure } from '../../output/command-failure.ts';
import { interruptSignal, throwUnlessCtrlC } from '../../output/interruption.ts';
import { endlessOutputSignal, writeNote } from '../../output/standard-output.ts';
import type { IngestFlags } from './ingest-flags.ts';

const DEFAULT_RETRY_TIMEOUT_SECONDS = 60;

/** State of one command: what happened to its records, and what ends it. */
export class Shipping {
  readonly flags: IngestFlags;
  /** Aborts when delivery has failed or the command is stopped. */
  readonly signal: AbortSignal;
  /** Records read. */
  read = 0;
  /** Records that the service confirmed. */
  delivered = 0;
  #rejected = 0;
  #rejection = '';
  readonly #failing = new Set<object>();
  readonly #stopping = new AbortController();

  constructor(flags: IngestFlags) {
    this.flags = flags;
    const closed = flags.echo === true ? [endlessOutputSignal()] : [];
    this.signal = AbortSignal.any([interruptSignal(), this.#stopping.signal, ...closed]);
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
    this.#stopping.abort(error);
  }

  /** Reports an outage once, although each shipper has it. */
  failing(shipper: object, message: string): void {
    this.#failing.add(shipper);
    if (this.#failing.keys().next().value === shipper) this.say(message);
  }

  /** Reports the end of an outage once it is over for all shippers. */
  recovered(shipper: object): void {
    if (this.#failing.delete(shipper) && this.#failing.size === 0) this.say('Records are delivered again.');
  }

  /** Writes a note to stderr, unless `--quiet`. */
  say(message: string): void {
    if (this.flags.quiet !== true) writeNote(`logclient: ${message}`);
  }

  /** Reports how many records were delivered. @throws what has ended the command, or CommandFailure */
  finish(): void {
    if (this.read > 0 || !this.signal.aborted) this.say(this.#summary);
    if (this.flags.follow === true) throwUnlessCtrlC(this.signal);
    else this.signal.throwIfAborted();
    if (this.#rejected === 0) return;
    const rejected = this.#rejected.toLocaleString('en');
    throw new CommandFailure(
      `the service rejected ${rejected} of ${countText(this.read, 'record')}: ${this.#rejection}`,
    );
  }

  get #summary(): string {
    const left = this.read - this.delivered - this.#rejected;
    const text = `shipped ${countText(this.delivered, 'record')}.`;
    if (left <= 0) return text;
    return `${text} ${countText(left, this.delivered > 0 ? 'more record' : 'record')} ${left === 1 ? 'was' : 'were'} read but not delivered.`;
  }
}
