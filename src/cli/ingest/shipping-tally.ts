import { CommandFailure } from '../command-failure.ts';

/** Counts the lines by outcome. */
export class ShippingTally {
  /** Lines that are not blank. */
  read = 0;
  /** Lines that the service confirmed. */
  delivered = 0;
  refused = 0;
  /** Why the service rejected the first one. */
  #refusal = '';

  refuse(lines: number, reason: string): void {
    if (this.refused === 0) this.#refusal = reason;
    this.refused += lines;
  }

  /** The final line on stderr. */
  get summary(): string {
    const left = this.read - this.delivered - this.refused;
    const rest =
      left > 0 ? ` ${countOf(left, 'more line')} ${left === 1 ? 'was' : 'were'} read but not delivered.` : '';
    return `shipped ${countOf(this.delivered)}.${rest}`;
  }

  /** @throws CommandFailure if the service rejected lines. */
  check(): void {
    if (this.refused === 0) return;
    throw new CommandFailure(
      `the service rejected ${this.refused.toLocaleString('en')} of ${countOf(this.read)}: ${this.#refusal}`,
    );
  }
}

function countOf(lines: number, noun = 'line'): string {
  return `${lines.toLocaleString('en')} ${noun}${lines === 1 ? '' : 's'}`;
}
