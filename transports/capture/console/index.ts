/**
 * Console capture:
 *
 * ```ts
 * const restore = captureConsole({ baseUrl, ingestToken });
 * ```
 */
import { EventEmitter } from 'node:events';
import { EventDelivery } from '../../../src/ingest/kit/event-delivery.ts';
import {
  type EventTransportOptions,
  resolveEventTransportOptions,
} from '../../../src/ingest/kit/event-transport-options.ts';
import type { IngesterStats } from '../../../src/ingest/report/ingester-stats.ts';
import { markTransport } from '../../../src/ingest/report/transport-mark.ts';
import { consoleRecord, crashRecord } from './console-record.ts';
import { consoleCaptures, muted, patchConsole } from './patch-console.ts';

export type { LogTransportDrop } from '../../../src/ingest/kit/event-transport-options.ts';
export type * from '../../../src/ingest/kit/public-types.ts';

/** Options of {@link captureConsole}: those of the ingester, and `worker`. Console output of hooks is not captured. */
export interface CaptureConsoleOptions extends EventTransportOptions {}

/** Returned by {@link captureConsole}. */
export interface RestoreConsole {
  /**
   * Stops the capture. Resolves when all captured records are delivered, or dropped after `closeTimeoutMs`. Never
   * rejects; can be called repeatedly and in any order with other captures.
   */
  (): Promise<void>;
  /** Sends queued records, and resolves to whether all are settled: see `Ingester.flush`. Never rejects. */
  flush(): Promise<boolean>;
  /** Counters, with a worker up to 1 s old; exact after `flush` and after restoring. */
  readonly stats: IngesterStats;
}

/** What captures, by the owner of its events. */
const captures = new Map<EventEmitter, EventDelivery<object>>();

/** Undoes the changes to the console and the process while captures exist. */
let undoPatch = (): void => {};

/**
 * Sends what the program prints with `console` to the service, and still prints it. Uncaught exceptions and unhandled
 * rejections become records with the level `fatal`; the process then ends as usual.
 *
 * A record has the fields `level` and `message` (the printed text), `error` for an error among the arguments, and the
 * fields of plain objects among them. Captures the console of the thread that calls it.
 *
 * @returns a function that restores the console.
 * @throws LogOptionsException
 */
export function captureConsole(options: CaptureConsoleOptions = {}): RestoreConsole {
  const owner = new EventEmitter();
  const resolved = resolveEventTransportOptions(withMutedHooks(options), 'captureConsole');
  const delivery = new EventDelivery(owner, resolved, (attributes: object) => ({ attributes }));
  if (captures.size === 0) {
    undoPatch = patchConsole(
      (call) => capture(consoleRecord(call)),
      (error, origin) => capture(crashRecord(error, origin)),
    );
  }
  captures.set(owner, delivery);
  const restore = async (): Promise<void> => {
    if (captures.delete(owner)) consoleCaptures().set(restore, false);
    if (captures.size === 0) undoPatch();
    await delivery.close();
    consoleCaptures().delete(restore);
  };
  consoleCaptures().set(restore, true);
  markTransport(restore, resolved.ingester.connection.baseUrl.origin);
  const members = { flush: { value: () => delivery.flush() }, stats: { get: () => delivery.stats } };
  return Object.defineProperties(restore, members) as RestoreConsole;
}

function capture(attributes: object): void {
  for (const delivery of captures.values()) delivery.add(attributes);
}

/** Otherwise a hook that logs a drop would cause the next one. */
function withMutedHooks(options: CaptureConsoleOptions): CaptureConsoleOptions {
  const entries = Object.entries(options).map(([name, option]) => {
    const isHook = name.startsWith('on') && typeof option === 'function';
    return [name, isHook ? (value: unknown) => muted(() => option(value)) : option];
  });
  return Object.fromEntries(entries);
}
