/** Arrivals are noted this often, not for every record. */
const GRAIN_MS = 20;
const MAX_NOTES = 1_024;

interface Note {
  readonly number: number;
  readonly at: number;
}

/** When records came: each note holds for its number and those up to the next note. Its size is bounded. */
export class ArrivalTimes {
  #notes: Note[] = [];

  /** When the oldest record came, in epoch milliseconds; perhaps earlier than it did, never later. */
  get oldest(): number | undefined {
    return this.#notes[0]?.at;
  }

  /** @param number the number of the record that came. */
  note(number: number, at: number): void {
    const latest = this.#notes.at(-1);
    if (latest !== undefined && at - latest.at < GRAIN_MS) return;
    this.#notes.push({ number, at });
    // In a long outage nobody asks for the exact time: every other note goes, the earlier one speaks for both.
    if (this.#notes.length > MAX_NOTES) this.#notes = this.#notes.filter((_, index) => index % 2 === 0);
  }

  /** Forgets what was before `firstNumber`; everything when nothing waits any more. */
  forget(firstNumber: number, isEmpty: boolean): void {
    if (isEmpty) this.#notes = [];
    while (this.#notes.length > 1 && this.#notes[1]!.number <= firstNumber) this.#notes.shift();
  }
}
