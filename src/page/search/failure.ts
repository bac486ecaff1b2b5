import { batch, computed } from '@preact/signals';
import { reconnectDelayMs } from '../../client/tail/reconnection.ts';
import { pause } from '../../core/delay.ts';
import { LogConnectionException, LogHTTPException, LogTimeoutException } from '../../core/errors.ts';
import { isTransient } from '../../core/http/transient.ts';
import { explanationOf } from '../api/http.ts';
import { search } from '../state/page-state.ts';
import * as results from '../state/results.ts';
import { isPlayground, serviceUrl } from '../state/service.ts';
import { problemInEditor } from './reported-problem.ts';

/** Runs a task until it succeeds. A server may only be restarting; retrying an invalid request is pointless. */
export async function retried(
  task: () => Promise<void>,
  signal: AbortSignal,
  onFailure = reportFailure,
): Promise<void> {
  for (let attempt = 0; !signal.aborted; attempt++) {
    try {
      await task();
      return;
    } catch (error) {
      if (signal.aborted) return;
      onFailure(error);
      if (!isTransient(error)) return;
      await pause(reconnectDelayMs(attempt, error), signal);
    }
  }
}

/** The part of the query in the editor that the service has rejected; `undefined` if there is none. */
export const reportedProblem = computed(() => {
  const shown = results.problem.value;
  return shown?.kind === 'query' ? problemInEditor(search.peek(), shown.message) : undefined;
});

/** Shows why a request failed. */
export function reportFailure(error: unknown): void {
  const status = error instanceof LogHTTPException ? error.statusCode : 0;
  const isGone = isPlayground && status === 404;
  const message = isGone
    ? `The lines of "${search.value.repository}" are not in this tab: a reload forgets opened files, and links contain only short pasted lines. Open them again.`
    : explanationOf(error);
  const isUnreached = error instanceof LogConnectionException || error instanceof LogTimeoutException;
  // Behind "logclient ui", 403 means that its credentials lack a permission.
  const isOfToken = status === 401 || (status === 403 && serviceUrl === undefined);
  batch(() => {
    results.activity.value = isTransient(error) ? 'reconnecting' : 'failed';
    results.problem.value = {
      kind: isOfToken ? 'token' : status === 400 || status === 403 ? 'query' : 'server',
      message: isUnreached ? `${message} Trying again.` : message,
    };
  });
}
