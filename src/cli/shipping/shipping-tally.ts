import { CommandFailure } from '../command-failure.ts';

/** What has become of the lines. */
export class ShippingTally {
  /** Those that are not blank. */
  read = 0;
  /** Those that the service has confirmed. */
  delivered = 0;
  refused = 0;
  /** Why the service does not take them: what it said of the first. */
  #refusal = '';

  refuse(lines: number, reason: string): void {
    if (this.refused === 0) this.#refusal = reason;
    this.refused += lines;
  }

  /** What a person wants to know at the end. */
  get summary(): string {
    const left = this.read - this.delivered - this.refused;
    const rest =
      left > 0 ? ` ${countOf(left)} more ${left === 1 ? 'was' : 'were'} read and not delivered.` : '';
    return `shipped ${countOf(this.delivered)}.${rest}`;
  }

  /** @throws CommandFailure if the service has refused lines. */
  check(): void {
    if (this.refused === 0) return;
    const are = this.refused === 1 ? 'is' : 'are';
    throw new CommandFailure(
      `${countOf(this.refused)} of ${this.read.toLocaleString('en')} ${are} not shipped, because the service refuses ${this.refused === 1 ? 'it' : 'them'}: ${this.#refusal}`,
    );
  }
}

function countOf(lines: number): string {
  return `${lines.toLocaleString('en')} line${lines === 1 ? '' : 's'}`;
}
