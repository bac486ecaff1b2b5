import Module from 'node:module';
import type { Pino } from './patch-pino.ts';
import type { Winston, WinstonLogger } from './patch-winston.ts';
import { trackTransports } from './pino-transports.ts';

/** The class of CommonJS modules, with a method that its types omit. */
interface ModuleClass {
  readonly prototype: { exports: unknown; load(this: { exports: unknown }, fileName: string): void };
}

/** Each function is called with each copy and version of the logger, before the program gets it. */
export interface LoggerListeners {
  readonly pino: (pino: Pino) => void;
  readonly winston: (winston: Winston) => void;
}

const LOGGER_FILE = /[\\/](?:pino|winston|thread-stream[\\/]index)\.js$/;
const THREAD_STREAM_FILE = /[\\/]thread-stream[\\/]index\.js$/;

/**
 * Calls the listeners when the program loads a logger.
 *
 * winston and older versions of pino publish to no diagnostics channel, so this wraps Node's CommonJS loader, which
 * loads both loggers for `import` and `require`, and which other tools that compile modules leave in place:
 * `module.registerHooks` does not exist in Node 20, and `module.register` needs another thread.
 */
export function onLoggerLoaded({ pino, winston }: LoggerListeners): void {
  const { prototype } = Module as unknown as ModuleClass;
  const { load } = prototype;
  prototype.load = function (fileName): void {
    load.call(this, fileName);
    if (!LOGGER_FILE.test(fileName)) return;
    const { exports } = this;
    if (isPino(exports)) pino(exports);
    else if (isWinston(exports)) winston(exports);
    else if (isThreadStream(exports, fileName)) this.exports = trackTransports(exports);
  };
}

/** The directory may have any name, such as that of an alias. */
function isPino(exports: unknown): exports is Pino {
  return typeof exports === 'function' && typeof (exports as Partial<Pino>).symbols?.asJsonSym === 'symbol';
}

function isThreadStream(exports: unknown, fileName: string): exports is new () => object {
  return typeof exports === 'function' && THREAD_STREAM_FILE.test(fileName);
}

function isWinston(exports: unknown): exports is Winston {
  if (typeof exports !== 'object' || exports === null) return false;
  const { Logger } = exports as Partial<Winston>;
  return typeof (Logger?.prototype as Partial<WinstonLogger> | undefined)?.add === 'function';
}
