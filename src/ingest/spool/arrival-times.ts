/** Arrivals within this time share a note. */
const GRAIN_MS = 20;
const MAX_NOTES = 1_024;

interface Note {
  readonly number: number;
  readonly at: number;
}

/** Arrival times of records, in bounded memory. Each note covers the numbers from its own up to the next note. */
export class ArrivalTimes {
  #notes: Note[] = [];

  /** Arrival of the oldest record in epoch milliseconds, or slightly earlier. */
  get oldest(): number | undefined {
    return this.#notes[0]?.at;
  }

  /** @param number number of the record that arrived. */
  note(number: number, at: number): void {
    const latest = this.#notes.at(-1);
    if (latest !== undefined && at - latest.at < GRAIN_MS) return;
    this.#notes.push({ number, at });
    // In a long outage, the exact time does not matter: every other note is dropped.
    if (this.#notes.length > MAX_NOTES) this.#notes = this.#notes.filter((_, index) => index % 2 === 0);
  }

  /** Drops notes of records before `firstNumber`, and all notes if no records are waiting. */
  forget(firstNumber: number, isEmpty: boolean): void {
    if (isEmpty) this.#notes = [];
    while (this.#notes.length > 1 && this.#notes[1]!.number <= firstNumber) this.#notes.shift();
  }
}
