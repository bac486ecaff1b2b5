import { EventEmitter } from 'node:events';
import type { WinstonRecord } from './winston-record.ts';

/** Events of a record stream. */
export interface RecordStreamEvents {
  log: [record: WinstonRecord];
  error: [error: unknown];
  /** Emitted last, after an error or `destroy()`. */
  close: [];
}

/** Stream returned by `logger.stream()`. Emits `log` for each record until it is destroyed. */
export interface RecordStream extends EventEmitter<RecordStreamEvents> {
  /** Stops reading. */
  destroy(): void;
}

export class TailingRecordStream extends EventEmitter<RecordStreamEvents> implements RecordStream {
  readonly #closing = new AbortController();

  /** @param start starts reading; ends without an error when the signal aborts. */
  constructor(start: (signal: AbortSignal) => Promise<AsyncIterable<WinstonRecord>>) {
    super();
    void this.#run(start);
  }

  destroy(): void {
    this.#closing.abort();
  }

  async #run(start: (signal: AbortSignal) => Promise<AsyncIterable<WinstonRecord>>): Promise<void> {
    const { signal } = this.#closing;
    try {
      for await (const record of await start(signal)) {
        if (signal.aborted) break;
        this.emit('log', record);
      }
    } catch (error) {
      // Without a listener, an error ends the program, as it does with winston's own transports.
      if (!signal.aborted) process.nextTick(() => this.emit('error', error));
    }
    process.nextTick(() => this.emit('close'));
  }
}
