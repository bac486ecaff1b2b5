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
    // In a long outage, the exact time does not matter: later records share the last note.
    if (this.#notes.length < MAX_NOTES) this.#notes.push({ number, at });
  }

  /** Drops notes of records before `firstNumber`, and all notes if no records are waiting. */
  forget(firstNumber: number, isEmpty: boolean): void {
    if (isEmpty) this.#notes = [];
    while (this.#notes.length > 1 && this.#notes[1]!.number <= firstNumber) this.#notes.shift();
  }
}
