import type { Clock, Timer } from '../../src/core/clock.ts';
import {
  type IngesterOptions,
  type ResolvedIngesterOptions,
  resolveIngesterOptions,
} from '../../src/ingest/options.ts';
import { IngestPipeline } from '../../src/ingest/pipeline.ts';
import type { IngestRecord } from '../../src/ingest/record/record.ts';
import { realWorld, type World } from '../../src/ingest/world.ts';
import type { SimulatedService } from './simulated-service.ts';

/** A record of 290 bytes takes 30 bytes compressed. The simulation queues compressed bytes. */
const COMPRESSED_RECORD_BYTES = 30;
const COMPRESSION_RATIO = 30 / 290;
/** All sizes are divided by this, so that 10,000 full queues fit into memory. */
const SCALE = 16;

const MEBIBYTE = 1024 * 1024;

/** A process that logs faster adds several records at once. */
const MAX_ADDS_PER_SECOND = 5;

/** Records hold the time when they were added, in this many digits. */
const STAMP_DIGITS = 8;

const NEWLINE = 0x0a;
/** The response to an accepted request. */
const ACCEPTED = {
  body: { async *[Symbol.asyncIterator]() {} },
  bytes: async () => new Uint8Array(),
};

/** Behind each record of a batch: a comma and a newline. */
const SEPARATOR_BYTES = 2;

export interface ProcessOptions {
  readonly recordsPerSecond: number;
  readonly startMs: number;
  readonly random: () => number;
  readonly ingester: IngesterOptions;
}

/** Counters in records. */
export interface RecordCounts {
  readonly accepted: number;
  readonly delivered: number;
  readonly dropped: number;
  readonly waiting: number;
}

/** When records arrived, counted from when they were logged, in milliseconds. */
export class Delays {
  max = 0;
  #sum = 0;
  #records = 0;

  add(oldestMs: number, newestMs: number, records: number): void {
    this.max = Math.max(this.max, oldestMs);
    this.#sum += ((oldestMs + newestMs) / 2) * records;
    this.#records += records;
  }

  get mean(): number {
    return this.#records === 0 ? 0 : this.#sum / this.#records;
  }
}

/** A process that logs at a constant average rate through a real delivery pipeline. */
export class SimulatedProcess {
  readonly recordsPerSecond: number;
  readonly delays = new Delays();
  /** Records that the service accepted. */
  received = 0;
  /** When the last record that was logged before {@link mark} arrived. */
  caughtUpAt = 0;
  #markedAt = 0;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #service: SimulatedService;
  readonly #pipeline: IngestPipeline;
  /** How many records one addition stands for. */
  readonly #weight: number;
  readonly #recordBytes: number;
  #timer: Timer | undefined;

  constructor(clock: Clock, service: SimulatedService, options: ProcessOptions) {
    this.#clock = clock;
    this.#service = service;
    this.#random = options.random;
    this.recordsPerSecond = options.recordsPerSecond;
    this.#weight = Math.max(1, options.recordsPerSecond / MAX_ADDS_PER_SECOND);
    const bytes = Math.round((this.#weight * COMPRESSED_RECORD_BYTES) / SCALE);
    this.#recordBytes = Math.max(STAMP_DIGITS, bytes);
    const openCaller: World['openCaller'] = () => ({ callPath: (_, __, { data }) => this.#send(data) });
    const world = { ...realWorld, clock, random: options.random, openCaller };
    this.#pipeline = new IngestPipeline(scaled(options.ingester), { world });
    this.#timer = clock.startTimer(options.startMs, () => this.#log());
  }

  get stats(): RecordCounts {
    const { accepted, delivered, dropped, queuedRecords, inFlightRecords } = this.#pipeline.stats;
    const inRecords = (count: number): number => count * this.#weight;
    return {
      accepted: inRecords(accepted),
      delivered: inRecords(delivered),
      dropped: inRecords(dropped.overflow + dropped.rejected + dropped.closed + dropped.damaged),
      waiting: inRecords(queuedRecords + inFlightRecords),
    };
  }

  /** From now on {@link caughtUpAt} is about the records that were logged before. */
  mark(): void {
    this.#markedAt = this.#clock.now();
  }

  stopLogging(): void {
    this.#timer?.cancel();
  }

  #log(): void {
    this.#pipeline.add(new StampedRecord(this.#clock.now(), this.#recordBytes));
    const perSecond = this.recordsPerSecond / this.#weight;
    // Exponential gaps: records come independently of each other.
    const gapMs = (-Math.log(1 - this.#random()) * 1000) / perSecond;
    this.#timer = this.#clock.startTimer(Math.max(1, gapMs), () => this.#log());
  }

  async #send(body: unknown): Promise<typeof ACCEPTED> {
    await this.#service.request();
    this.#delivered(body as Uint8Array);
    return ACCEPTED;
  }

  #delivered(body: Uint8Array): void {
    const now = this.#clock.now();
    const step = this.#recordBytes + SEPARATOR_BYTES;
    const first = body.indexOf(NEWLINE) + 1;
    const count = Math.floor((body.length - first) / step);
    const oldest = stampAt(body, first);
    const newest = stampAt(body, first + (count - 1) * step);
    this.received += count * this.#weight;
    this.delays.add(now - oldest, now - newest, count * this.#weight);
    if (oldest < this.#markedAt) this.caughtUpAt = now;
  }
}

/** A record of a given size that holds when it was logged. */
class StampedRecord implements IngestRecord {
  readonly tagsText = '{}';
  readonly byteLength: number;
  readonly #atMs: number;

  constructor(atMs: number, byteLength: number) {
    this.#atMs = atMs;
    this.byteLength = byteLength;
  }

  get eventText(): string {
    return stamp(this.#atMs).padEnd(this.byteLength, ' ');
  }

  writeTo(memory: Buffer, at: number): void {
    memory.fill(0x20, at, at + this.byteLength);
    memory.write(stamp(this.#atMs), at, 'latin1');
  }

  some(): boolean {
    return false;
  }

  kept(): IngestRecord {
    return this;
  }
}

function stamp(ms: number): string {
  return String(ms).padStart(STAMP_DIGITS, '0');
}

function stampAt(body: Uint8Array, start: number): number {
  let ms = 0;
  for (let i = start; i < start + STAMP_DIGITS; i++) ms = ms * 10 + body[i]! - 0x30;
  return ms;
}

/** Sizes in scaled, compressed bytes instead of gzip. */
function scaled(options: IngesterOptions): ResolvedIngesterOptions {
  const { maxBatchBytes = MEBIBYTE, maxQueueBytes = 8 * MEBIBYTE } = options;
  const given: IngesterOptions = {
    ...options,
    baseUrl: 'https://logscale.example.com',
    ingestToken: 'token',
    compression: 'none',
    maxBatchBytes: Math.round((maxBatchBytes * COMPRESSION_RATIO) / SCALE),
    maxQueueBytes: Math.round(maxQueueBytes / SCALE),
    onWarning: () => {},
  };
  return resolveIngesterOptions(given, 'Ingester');
}
