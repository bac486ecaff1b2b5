// biome-ignore-all lint/suspicious/noConsole: this module patches it.
/**
 * Console capture:
 *
 * ```ts
 * const restore = captureConsole({ baseUrl, ingestToken });
 * ```
 */
import { EventEmitter } from 'node:events';
import type { IngesterStats } from '../../src/ingest/report/ingester-stats.ts';
import { EventDelivery } from '../kit/event-delivery.ts';
import { type EventTransportOptions, resolveEventTransportOptions } from '../kit/event-transport-options.ts';
import { consoleFields, crashFields } from './console-event.ts';

export type { FlushSignal } from '../../src/ingest/process/process-signals.ts';
export type { Tags } from '../../src/ingest/record/tags.ts';
export type { Drop, Recovery } from '../../src/ingest/report/delivery-event.ts';
export type { DropReason, IngesterStats } from '../../src/ingest/report/ingester-stats.ts';
export type { Warning, WarningKind } from '../../src/ingest/report/warning.ts';
export type { LogTransportDrop } from '../kit/event-transport-options.ts';

/** Options of {@link captureConsole}: those of the ingester, and `worker`. Console output of hooks is not captured. */
export interface CaptureConsoleOptions extends EventTransportOptions {}

/** Returned by {@link captureConsole}. */
export interface RestoreConsole {
  /**
   * Stops the capture. Resolves when all captured records are delivered, or dropped after `closeTimeoutMs`. Never
   * rejects; can be called repeatedly and in any order with other captures.
   */
  (): Promise<void>;
  /**
   * Resolves when all records captured before the call are delivered or dropped, or after `closeTimeoutMs` without
   * progress. Records then stay queued and are sent when the service is back. Never rejects.
   */
  flush(): Promise<void>;
  /** Counters, with a worker up to 1 s old; exact after `flush` and after restoring. */
  readonly stats: IngesterStats;
}

/** `console.table`, `group`, `count` and `timeEnd` print with `log`, and `assert` with `warn`. */
const LEVELS = {
  debug: 'debug',
  dir: 'info',
  dirxml: 'info',
  error: 'error',
  info: 'info',
  log: 'info',
  trace: 'trace',
  warn: 'warn',
} as const;

type Method = keyof typeof LEVELS;
type Print = (...args: unknown[]) => void;

/** What captures, by the owner of its events. */
const captures = new Map<EventEmitter, EventDelivery>();

/** The console's methods while captures exist. */
const patches = new Map<Method, { readonly original: Print; readonly patch: Print }>();

/** Console methods only print, because a console method or a hook is running. */
let isMuted = false;

/**
 * Sends what the program prints with `console` to the service, and still prints it. Uncaught exceptions and unhandled rejections become records with the level `fatal`; the process then ends as
 * usual.
 *
 * A record has the fields `level` and `message` (the printed text), `error` for an error among the arguments, and the
 * fields of plain objects among them. Captures the console of the thread that calls it.
 *
 * @returns a function that restores the console.
 * @throws LogOptionsException
 */
export function captureConsole(options: CaptureConsoleOptions = {}): RestoreConsole {
  const owner = new EventEmitter();
  const resolved = resolveEventTransportOptions({ ...options, ...mutedHooks(options) }, 'captureConsole');
  const delivery = new EventDelivery(owner, resolved);
  if (captures.size === 0) patchConsole();
  captures.set(owner, delivery);
  const restore = async (): Promise<void> => {
    if (captures.delete(owner) && captures.size === 0) restoreConsole();
    await delivery.close();
  };
  const members = { flush: { value: () => delivery.flush() }, stats: { get: () => delivery.stats } };
  return Object.defineProperties(restore, members) as RestoreConsole;
}

function patchConsole(): void {
  for (const method of Object.keys(LEVELS) as Method[]) {
    const original = console[method] as Print;
    const patch: Print = (...args) => {
      const values = method === 'dir' ? args.slice(0, 1) : args;
      if (!isMuted) muted(() => capture(consoleFields(LEVELS[method], values, patch)))();
      muted(() => original.apply(console, args))();
    };
    patches.set(method, { original, patch });
    console[method] = patch;
  }
  process.on('uncaughtExceptionMonitor', onCrash);
}

/** If another library has patched a method meanwhile, that patch stays, and ours below it only prints. */
function restoreConsole(): void {
  for (const [method, { original, patch }] of patches) {
    if (console[method] === patch) console[method] = original;
  }
  patches.clear();
  process.off('uncaughtExceptionMonitor', onCrash);
}

function onCrash(error: unknown, origin: string): void {
  capture(crashFields(error, origin));
}

function capture(attributes: object): void {
  for (const delivery of captures.values()) delivery.add(() => ({ attributes }));
}

/** Otherwise a hook that logs a drop would cause the next one. */
function mutedHooks(options: CaptureConsoleOptions): Partial<CaptureConsoleOptions> {
  const hooks = ['onDrop', 'onWarning', 'onRecovered'] as const;
  const given = hooks.filter((name) => typeof options[name] === 'function');
  return Object.fromEntries(given.map((name) => [name, muted(options[name] as Print)]));
}

function muted<Args extends unknown[]>(call: (...args: Args) => unknown): (...args: Args) => unknown {
  return (...args) => {
    const before = isMuted;
    isMuted = true;
    try {
      return call(...args);
    } finally {
      isMuted = before;
    }
  };
}
