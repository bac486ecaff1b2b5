import { createRecord, type IngestRecord } from '../../src/ingest/record/record.ts';
import type { Answer } from './answer.ts';

/** Digits of a record's number, by which the service recognizes it. */
const DIGITS = 8;
const MARK = '"n":"';

/** What happened to one record. */
export interface Entry {
  readonly number: number;
  readonly bytes: number;
  /** What the service answers to a request with this record. */
  readonly answer: Answer;
  /** The process that logged it. */
  readonly process: number;
  readonly writtenAt: number;
  /** Undefined while the writer waits for a full queue. */
  acceptedAt: number | undefined;
  dropped: string | undefined;
  /** Failures in a row before the last request with it. */
  sentAfter: number;
  /** Failed requests with it. */
  failed: number;
  /** Failed requests without other records, and how many records its process had delivered at the first of them. */
  failedAlone: number;
  failedAfter: number | undefined;
  /** How often the service stored it, and how often the client was not told. */
  stored: number;
  unacknowledged: number;
  acknowledged: number;
}

/** Accepted records of a process that are neither delivered nor dropped. */
interface Open {
  records: number;
  bytes: number;
}

/** All records of a run. */
export class Ledger {
  readonly entries: Entry[] = [];
  readonly #open: Open[] = [];

  write(process: number, bytes: number, answer: Answer, writtenAt: number): Entry {
    const entry: Entry = {
      number: this.entries.length,
      ...{ bytes, answer, process, writtenAt, acceptedAt: undefined, dropped: undefined },
      ...{
        sentAfter: 0,
        failed: 0,
        failedAlone: 0,
        failedAfter: undefined,
        stored: 0,
        unacknowledged: 0,
        acknowledged: 0,
      },
    };
    this.entries.push(entry);
    return entry;
  }

  accept(entry: Entry, nowMs: number): void {
    entry.acceptedAt = nowMs;
    this.#count(entry, 1);
  }

  /** The queue was full: the writer adds it again later. */
  takeBack(entry: Entry): void {
    entry.acceptedAt = undefined;
    this.#count(entry, -1);
  }

  drop(entry: Entry, reason: string): void {
    if (isOpen(entry)) this.#count(entry, -1);
    entry.dropped = reason;
  }

  acknowledge(entry: Entry): void {
    if (isOpen(entry)) this.#count(entry, -1);
    entry.acknowledged++;
  }

  openOf(process: number): Readonly<Open> {
    return this.#open[process] ?? { records: 0, bytes: 0 };
  }

  #count({ process, bytes }: Entry, sign: 1 | -1): void {
    this.#open[process] ??= { records: 0, bytes: 0 };
    this.#open[process].records += sign;
    this.#open[process].bytes += sign * bytes;
  }

  /** The records of a request, in its order. */
  read(body: Uint8Array): Entry[] {
    const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');
    const entries: Entry[] = [];
    for (let at = text.indexOf(MARK); at >= 0; at = text.indexOf(MARK, at + DIGITS)) {
      entries.push(this.entries[Number(text.slice(at + MARK.length, at + MARK.length + DIGITS))]!);
    }
    return entries;
  }

  /** The record of an event, such as one that a hook gets. */
  entryOf(eventText: string): Entry {
    return this.read(Buffer.from(eventText))[0]!;
  }
}

/** True if the record is accepted, and neither delivered nor dropped. */
export function isOpen({ acceptedAt, acknowledged, dropped }: Entry): boolean {
  return acceptedAt !== undefined && acknowledged === 0 && dropped === undefined;
}

export function recordOf({ number, bytes }: Entry): IngestRecord {
  const text = `{"attributes":{"n":"${String(number).padStart(DIGITS, '0')}","pad":"`;
  return createRecord(`${text.padEnd(bytes - 3, 'x')}"}}`, '{}');
}
