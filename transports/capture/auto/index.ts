/**
 * Captures the records of pino, winston and the console, and crashes, without changes to the program:
 *
 * ```sh
 * node --import logclient/auto app.js
 * ```
 *
 * Configured by environment variables. `LOGCLIENT_AUTO=0` turns it off.
 */
import { createRequire } from 'node:module';
import { isOff } from '../../../src/core/switches.ts';
import { isConsoleCaptured, patchConsole } from '../console/patch-console.ts';
import { onLoggerLoaded } from './logger-modules.ts';
import { onPinoLine, patchPino } from './patch-pino.ts';
import { patchWinston } from './patch-winston.ts';

const STARTED = Symbol.for('logclient.auto');
/** Only the first copy of this package captures. */
const shared = globalThis as { [STARTED]?: true };

let loaded: typeof import('./capture.ts') | undefined;

if (!isOff(process.env.LOGCLIENT_AUTO) && !shared[STARTED]) start();

function start(): void {
  shared[STARTED] = true;
  patchConsole(
    (call) => isConsoleCaptured() || capture().addConsoleCall(call),
    (error, origin) => isConsoleCaptured() || capture().addCrash(error, origin),
  );
  onPinoLine((logger, line) => capture().addPinoLine(logger, line));
  onLoggerLoaded({
    pino: patchPino,
    winston: (winston) => patchWinston(winston, (logger) => capture().captureWinston(logger)),
  });
}

/** Loaded on first use: short programs that log nothing start fast. */
function capture(): typeof import('./capture.ts') {
  loaded ??= createRequire(import.meta.url)('./auto-capture.cjs') as typeof import('./capture.ts');
  return loaded;
}
