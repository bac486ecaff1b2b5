// biome-ignore-all lint/suspicious/noConsole: this module patches it.
/**
 * Console capture:
 *
 * ```ts
 * const restore = captureConsole({ baseUrl, ingestToken });
 * ```
 */
import { EventEmitter } from 'node:events';
import { format } from 'node:util';
import { safeText, throwsText } from '../../src/ingest/record/safe-json.ts';
import type { IngesterStats } from '../../src/ingest/report/ingester-stats.ts';
import { EventDelivery } from '../kit/event-delivery.ts';
import { type EventTransportOptions, resolveEventTransportOptions } from '../kit/event-transport-options.ts';
import { addFields, isError } from '../kit/record-fields.ts';

export type { LogTransportDrop } from '../kit/event-transport-options.ts';
export type * from '../kit/public-types.ts';

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
const METHODS = ['debug', 'dir', 'dirxml', 'error', 'info', 'log', 'trace', 'warn'] as const;

/** Levels of methods that are not named after one. */
const LEVELS: Readonly<Record<string, string>> = { dir: 'info', dirxml: 'info', log: 'info' };

/** What captures, by the owner of its events. */
const captures = new Map<EventEmitter, EventDelivery<object>>();

/** Undo the changes to the console and the process while captures exist. */
const restorers: (() => void)[] = [];

/** Console methods only print, because a console method or a hook is running. */
let isMuted = false;

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
  if (captures.size === 0) restorers.push(...METHODS.map(patchMethod), watchCrashes());
  captures.set(owner, delivery);
  const restore = async (): Promise<void> => {
    if (captures.delete(owner) && captures.size === 0) for (const undo of restorers.splice(0)) undo();
    await delivery.close();
  };
  const members = { flush: { value: () => delivery.flush() }, stats: { get: () => delivery.stats } };
  return Object.defineProperties(restore, members) as RestoreConsole;
}

/** If another library patches the method later, that patch stays, and ours below it only prints. */
function patchMethod(method: (typeof METHODS)[number]): () => void {
  const original: typeof console.log = console[method];
  const patch: typeof console.log = (...args) => {
    const values = method === 'dir' ? args.slice(0, 1) : args;
    if (!isMuted) muted(() => capture(fieldsOf(LEVELS[method] ?? method, values, patch)));
    muted(() => original.apply(console, args));
  };
  console[method] = patch;
  return () => {
    if (console[method] === patch) console[method] = original;
  };
}

function watchCrashes(): () => void {
  const onCrash = (error: unknown, origin: string): void =>
    capture({ level: 'fatal', message: `${origin}: ${safeText(error)}`, origin, error });
  process.on('uncaughtExceptionMonitor', onCrash);
  return () => process.off('uncaughtExceptionMonitor', onCrash);
}

function capture(attributes: object): void {
  for (const delivery of captures.values()) delivery.add(attributes);
}

/** @param print the called method; the stack of a `trace` starts at its caller. */
function fieldsOf(level: string, args: readonly unknown[], print: () => void): Record<string, unknown> {
  const message = orThrowsText(() => format(...args));
  const fields: Record<string, unknown> = { level, message };
  for (const arg of args) orThrowsText(() => isPlainObject(arg) && addFields(fields, arg));
  fields.message = message;
  fields.error = args.find(isError) ?? fields.error;
  if (level !== 'trace') return fields;
  const trace = { name: 'Trace', message };
  Error.captureStackTrace(trace, print);
  return Object.assign(fields, { stack: (trace as Partial<Error>).stack });
}

/** Arguments may be proxies, or have methods that throw. */
function orThrowsText<T>(call: () => T): T | string {
  try {
    return call();
  } catch (error) {
    return throwsText(error);
  }
}

/** Of any realm, such as Jest's. */
function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Otherwise a hook that logs a drop would cause the next one. */
function withMutedHooks(options: CaptureConsoleOptions): CaptureConsoleOptions {
  const entries = Object.entries(options).map(([name, option]) => {
    const isHook = name.startsWith('on') && typeof option === 'function';
    return [name, isHook ? (value: unknown) => muted(() => option(value)) : option];
  });
  return Object.fromEntries(entries);
}

function muted(call: () => void): void {
  const before = isMuted;
  isMuted = true;
  try {
    call();
  } finally {
    isMuted = before;
  }
}
