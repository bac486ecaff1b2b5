import Module from 'node:module';
import type { Pino } from './patch-pino.ts';
import type { Winston, WinstonLogger } from './patch-winston.ts';
import { trackTransports } from './pino-transports.ts';

/** A CommonJS module, with a method that the types of its class omit. `id` is its file. */
interface LoadedModule {
  readonly id: string;
  exports: unknown;
  load(fileName: string): void;
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
 * winston and older versions of pino publish to no diagnostics channel, so this observes Node's CommonJS loader, which
 * loads both loggers for `import` and `require`, and which other tools that compile modules leave in place:
 * `module.registerHooks` does not exist in Node 20, and `module.register` needs another thread.
 *
 * The loader reads the method `load` of a module, calls it, and then sets `loaded`. Accessors for both run before and
 * after the module, so they are in no stack trace; a function in place of `load` would be in those of all modules.
 */
export function onLoggerLoaded({ pino, winston }: LoggerListeners): void {
  const { prototype } = Module as unknown as { prototype: LoadedModule };
  let { load } = prototype;
  Object.defineProperty(prototype, 'load', {
    configurable: true,
    enumerable: true,
    get(this: LoadedModule) {
      if (LOGGER_FILE.test(this.id)) {
        whenLoaded(this, () => {
          const { exports } = this;
          if (isPino(exports)) pino(exports);
          else if (isWinston(exports)) winston(exports);
          else if (isThreadStream(exports, this.id)) this.exports = trackTransports(exports);
        });
      }
      return load;
    },
    // Other tools may wrap it.
    set(value: typeof load) {
      load = value;
    },
  });
}

function whenLoaded(module: LoadedModule, callback: () => void): void {
  const shared = { configurable: true, enumerable: true };
  Object.defineProperty(module, 'loaded', {
    ...shared,
    get: () => false,
    set(value: boolean) {
      Object.defineProperty(module, 'loaded', { ...shared, writable: true, value });
      callback();
    },
  });
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
