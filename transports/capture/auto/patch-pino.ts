import { subscribe } from 'node:diagnostics_channel';
import { sharedByCopies } from '../../../src/core/real-process.ts';
import { muted } from '../console/patch-console.ts';

/** The exports of pino. */
export interface Pino {
  (options: object, stream: { write(line: string): void }): PinoLogger;
  readonly symbols: { readonly asJsonSym: symbol; readonly writeSym: symbol };
}

export interface PinoLogger {
  readonly levels?: { readonly labels?: Readonly<Record<string, string>> };
  fatal(message: string): void;
}

type LoggerMethods = Record<symbol, (this: object, ...args: unknown[]) => unknown>;

type LineListener = (logger: PinoLogger, line: string) => void;

/** Newer versions of pino publish each line here, also in bundles. */
const CHANNEL = 'tracing:pino_asJson:end';

interface Listeners {
  /** `undefined` before the first subscription to the channel. */
  onLine: LineListener | undefined;
  /** Receives the first line of a logger instead, to find out whether it publishes its lines. */
  onProbe: LineListener | undefined;
}

/** Jest loads this module for each test file, but all of them share the channel: the last one receives the lines. */
const listeners = sharedByCopies<Listeners>('auto', () => ({ onLine: undefined, onProbe: undefined }));

/** A module of the program may export pino again. */
const patched = new WeakSet<object>();

/** Calls `listener`, and no earlier one, with each line of each logger, before the logger writes it. */
export function onPinoLine(listener: LineListener): void {
  if (listeners.onLine === undefined) subscribe(CHANNEL, onPublished);
  listeners.onLine = listener;
}

function onPublished(message: unknown): void {
  const { instance, result } = message as { instance?: unknown; result?: unknown };
  if (typeof instance !== 'object' || instance === null || typeof result !== 'string') return;
  const listener = listeners.onProbe ?? listeners.onLine;
  listener?.(instance as PinoLogger, result);
}

/** Patches the prototype that all loggers of this copy of pino share. */
export function patchPino(pino: Pino): void {
  const { asJsonSym, writeSym } = pino.symbols;
  const probe = pino({ level: 'fatal', base: null }, { write() {} });
  let prototype = probe as object as LoggerMethods | null;
  while (prototype !== null && !Object.hasOwn(prototype, asJsonSym))
    prototype = Object.getPrototypeOf(prototype);
  if (prototype === null || patched.has(prototype)) return;
  patched.add(prototype);
  // A stream of the program may print with the console.
  const { [writeSym]: write, [asJsonSym]: asJson } = prototype;
  prototype[writeSym] = function (...args): unknown {
    return muted(() => write!.apply(this, args));
  };
  if (publishes(probe)) return;
  prototype[asJsonSym] = function (...args): unknown {
    const line = asJson!.apply(this, args);
    if (typeof line === 'string') listeners.onLine?.(this as PinoLogger, line);
    return line;
  };
}

function publishes(probe: PinoLogger): boolean {
  let isPublished = false;
  listeners.onProbe = (logger) => {
    isPublished ||= logger === probe;
  };
  probe.fatal('');
  listeners.onProbe = undefined;
  return isPublished;
}
