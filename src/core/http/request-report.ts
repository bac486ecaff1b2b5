import { LogException, type ServiceIds } from '../errors.ts';
import { callHook } from '../hook-call.ts';
import { emitWarning } from '../process-warning.ts';
import { serviceIds, type WebResponse } from './web-response.ts';

/** An attempt at a request, for the option `onRequest` of clients. Contains no token. */
export interface RequestReport extends ServiceIds, Pick<WebResponse, 'method' | 'path'> {
  /** Status of the response, if there was one. */
  readonly statusCode?: number | undefined;
  /** Code of the LogException if there was no complete response, or `ABORTED`. */
  readonly code?: string | undefined;
  /** Number of the attempt, starting at 1. */
  readonly attempt: number;
  readonly durationMs: number;
}

export type OnRequest = (report: RequestReport) => void;

/** Returns a function that reports the end of an attempt, which starts now, the first time that it is called. */
export function endReporter(onRequest: OnRequest, method: string, path: string, attempt = 1) {
  const startedAt = performance.now();
  let isReported = false;
  return (response?: WebResponse, error?: unknown): void => {
    if (isReported) return;
    isReported = true;
    const { statusCode } = response ?? {};
    const failure = error instanceof LogException ? error.code : 'ABORTED';
    const code = error === undefined ? undefined : failure;
    const durationMs = Math.round(performance.now() - startedAt);
    const ids = serviceIds(response, path);
    callHook(
      () => onRequest({ method, path, statusCode, code, attempt, durationMs, ...ids }),
      () => emitWarning('The hook onRequest of a client failed.', 'LogclientHookWarning'),
    );
  };
}
