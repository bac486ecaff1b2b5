import { tryOr } from '../../src/core/try-or.ts';
import { type Format, learnJson, runFormat } from './format-run.ts';
import { isObject, LEVEL, type LogCall, logCall, type WinstonInfo } from './winston-event.ts';

/** Receives each record of a logger once, during its log call. */
export interface RecordTaker {
  /** @param info the record as the logger's format has returned it. */
  take(info: WinstonInfo, call: LogCall | undefined, logger: Logger): void;
  /** Called when winston is about to pass a taken record to its transports, at once or later. */
  expect?(info: WinstonInfo): void;
}

/** The part of a winston logger that is used here. */
export interface Logger {
  readonly level?: string | undefined;
  readonly levels?: Readonly<Record<string, number>> | undefined;
  readonly transports?: readonly object[];
}

type Write = (info: unknown, encoding?: unknown, callback?: unknown) => boolean;

/** A winston logger is a stream that formats records, by `readable-stream` 3. */
interface LoggerStream extends Logger {
  format: Format;
  silent?: boolean;
  write: Write;
  readonly writableLength?: number;
  readonly _writableState?: { ending?: boolean; lastBufferedRequest?: { chunk: unknown } | null };
  readonly _transformState?: { writechunk?: unknown };
}

const hooks = new WeakMap<object, LoggerHook>();

/** Passes the records of a winston logger to `taker` as they are logged, until the result is called. Does nothing for other streams. */
export function hookLogger(source: object, taker: RecordTaker): () => void {
  const logger = rootOf(source);
  if (typeof logger.format?.transform !== 'function') return () => {};
  const hook = hooks.get(logger) ?? new LoggerHook(logger);
  hooks.set(logger, hook);
  hook.add(taker);
  return () => hook.remove(taker);
}

export function unhookLogger(source: object, taker: RecordTaker): void {
  hooks.get(rootOf(source))?.remove(taker);
}

/** The logger whose stream and format a child logger uses. */
function rootOf(source: object): LoggerStream {
  let root: object | null = source;
  while (root !== null && !Object.hasOwn(root, '_writableState')) root = Object.getPrototypeOf(root);
  return (root ?? source) as LoggerStream;
}

/**
 * Takes the records of a logger where they are logged: if one of its transports is busy, they wait in the logger, and the
 * time, the trace and the program itself may be others when it passes them on.
 *
 * The format of the logger runs once for each record, during the log call. winston runs it there itself, inside of `write`,
 * unless records wait. Then it runs when `write` returns, and winston gets the result later. Not before `write`: libraries
 * for tracing patch that, too, and add their fields there.
 */
class LoggerHook {
  readonly #logger: LoggerStream;
  readonly #takers = new Set<RecordTaker>();
  /** What the format has returned for records that wait in the logger. A program may log the same object several times. */
  readonly #waiting = new WeakMap<object, { readonly result: unknown }[]>();
  #format: Format;
  /** Takes the place of the logger's format. */
  #wrapper: Format | undefined;
  /** True from a write until the format runs. */
  #isExpected = false;
  #restoreWrite: (() => void) | undefined;

  constructor(logger: LoggerStream) {
    this.#logger = logger;
    this.#format = logger.format;
  }

  add(taker: RecordTaker): void {
    learnJson(this.#logger);
    this.#takers.add(taker);
    this.#wrapFormat();
    this.#restoreWrite ??= this.#patchWrite();
  }

  remove(taker: RecordTaker): void {
    if (!this.#takers.delete(taker) || this.#takers.size > 0) return;
    const logger = this.#logger;
    this.#restoreWrite?.();
    // Otherwise records that wait would be formatted twice.
    if (logger.format === this.#wrapper && logger.writableLength === 0) logger.format = this.#format;
  }

  /** The program may have set another format. Another copy of this package may have wrapped our wrapper. */
  #wrapFormat(): void {
    const { format } = this.#logger;
    const wrapper = this.#wrapper;
    if (format === wrapper) return;
    if (wrapper !== undefined && Object.prototype.isPrototypeOf.call(wrapper, format)) return;
    const transform = (info: WinstonInfo): unknown => {
      const waiting = this.#waiting.get(info)?.shift();
      // Other loggers and formats of the program may use the wrapper, too.
      const isOwn = this.#isExpected && this.#format === format;
      if (waiting === undefined && !isOwn) return runFormat(format, info, false);
      const result = waiting === undefined ? this.#run(info) : waiting.result;
      if (isObject(result)) for (const taker of this.#takers) taker.expect?.(result);
      return result;
    };
    this.#format = format;
    const wrapped: Format = Object.create(format, {
      transform: { value: transform, configurable: true, writable: true },
    });
    this.#wrapper = wrapped;
    this.#logger.format = wrapped;
  }

  #patchWrite(): () => void {
    const hook = this;
    const logger = this.#logger;
    const own = Object.getOwnPropertyDescriptor(logger, 'write');
    const write: Write = function (this: unknown, info, encoding, callback) {
      const original: Write = own?.value ?? Object.getPrototypeOf(logger).write;
      if (hook.#takers.size === 0) return original.call(this, info, encoding, callback);
      hook.#wrapFormat();
      hook.#isExpected = true;
      try {
        return original.call(this, info, encoding, callback);
      } finally {
        if (hook.#isExpected) hook.#formatWaiting(info);
      }
    };
    const shared = { configurable: true, writable: true };
    Object.defineProperty(logger, 'write', { ...shared, value: write });
    return () => {
      if (logger.write !== write) return; // Another library has patched it again. Ours only calls the original.
      if (own === undefined) Reflect.deleteProperty(logger, 'write');
      else Object.defineProperty(logger, 'write', own);
      this.#restoreWrite = undefined;
    };
  }

  #formatWaiting(written: unknown): void {
    this.#isExpected = false;
    const { silent, _writableState, _transformState } = this.#logger;
    if (silent || _writableState?.ending || !isObject(written)) return;
    // A library for tracing may have replaced the record.
    const info = _writableState?.lastBufferedRequest?.chunk ?? _transformState?.writechunk ?? written;
    if (!isObject(info)) return;
    // winston does this before it formats.
    if (!info[LEVEL]) tryOr(undefined, () => Reflect.set(info, LEVEL, info.level));
    const results = this.#waiting.get(info) ?? [];
    results.push({ result: this.#run(info) });
    this.#waiting.set(info, results);
  }

  #run(info: WinstonInfo): unknown {
    this.#isExpected = false;
    const logger = this.#logger;
    const call = logCall(info);
    // Other transports may read the text after the fields have changed.
    const isLazy = logger.transports?.every((each) => this.#takers.has(each as never)) ?? false;
    const result = runFormat(this.#format, info, isLazy);
    if (isObject(result)) for (const taker of this.#takers) taker.take(result, call, logger);
    return result;
  }
}
