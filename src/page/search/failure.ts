import { batch } from '@preact/signals';
import { ApiError, isTransient } from '../api/http.ts';
import * as results from '../state/results.ts';
import { serviceUrl } from '../state/service.ts';

/** Shows why a request failed. */
export function reportFailure(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  const isReached = error instanceof ApiError;
  batch(() => {
    results.activity.value = isTransient(error) ? 'reconnecting' : 'failed';
    results.problem.value = {
      kind: kindOf(error),
      message: isReached ? message : `The server can't be reached (${message}). Trying again.`,
    };
  });
}

function kindOf(error: unknown): results.Problem['kind'] {
  const status = error instanceof ApiError ? error.status : 0;
  // Behind "logclient ui", 403 is about a permission of its credentials.
  if (status === 401 || (status === 403 && serviceUrl === undefined)) return 'token';
  return status === 400 || status === 403 ? 'query' : 'server';
}
