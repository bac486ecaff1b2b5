import { type Clock, systemClock } from '../core/clock.ts';
import { type Disk, nodeDisk } from '../core/disk.ts';
import type { RestCallOptions } from '../core/http/http-caller.ts';
import { BlockingCaller, type BlockingCallerOptions } from '../core/http/node/blocking-caller.ts';
import type { ResolvedConnectionOptions } from '../core/http/node/connection-options.ts';
import { WebCaller, type WebCallerOptions } from '../core/http/node/web-caller.ts';
import type { WebResponse } from '../core/http/web-response.ts';
import { uptimeMs } from '../core/uptime.ts';
import { processExit } from './process/process-exit.ts';
import { requestProgram } from './process/request-program.ts';

/** Sends one request like {@link WebCaller}. */
interface Caller {
  callPath(verb: string, path: string, options: RestCallOptions): Promise<Pick<WebResponse, 'body'>>;
}

/** What delivery needs from outside its own memory. Simulations replace it. */
export interface World {
  readonly clock: Clock;
  readonly disk: Disk;
  readonly exit: typeof processExit;
  /** Returns a number in [0, 1). */
  random(): number;
  openCaller(baseUrl: URL, options: WebCallerOptions): Caller;
  /** Opens a caller for the exit of the process. @throws Error when its worker does not start */
  openBlockingCaller(
    connection: ResolvedConnectionOptions,
    options: BlockingCallerOptions,
  ): Pick<BlockingCaller, 'call' | 'close'>;
  /** Milliseconds since the process started. */
  uptimeMs(): number;
  /** Blocks this thread. */
  block(durationMs: number): void;
}

export const realWorld: World = {
  clock: systemClock,
  disk: nodeDisk,
  exit: processExit,
  random: () => Math.random(),
  openCaller: (baseUrl, options) => new WebCaller(baseUrl, options),
  openBlockingCaller: (connection, options) => new BlockingCaller(connection, options, requestProgram()),
  uptimeMs,
  block: (durationMs) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, durationMs),
};
