import { abortable } from '../../core/abortable.ts';
import { type LogClient, LogWaitTimeoutException } from '../../index.ts';
import { expectationLine } from '../expectations/expectation.ts';
import { resolveSearch } from '../log-source.ts';
import { NO_PAINT } from '../report/paint.ts';
import { nearest } from './seen-lines.ts';
import type { AssertionTarget } from './verdict.ts';

/** Makes each query of a client wait for all records first, for a limited time, and guards its `waitFor()`. */
export function guardClient(client: LogClient, target: AssertionTarget): void {
  client.waitFor = guardedWait(client, target);
  const { webCaller } = client;
  const callRest = webCaller.callRest.bind(webCaller);
  webCaller.callRest = async (...args) => {
    const [method, path, { signal } = {}] = args;
    const isQuery = method === 'POST' && /\/query(?:jobs)?$/.test(path);
    const flushing = isQuery ? target.source.flush() : undefined;
    await (signal && flushing ? abortable(flushing, signal) : flushing);
    return callRest(...args);
  };
}

/** `waitFor()` of a client with the guards of a matcher; its timeout shows the query and the closest records. */
function guardedWait(client: LogClient, { source, loggers }: AssertionTarget): LogClient['waitFor'] {
  const { waitFor } = client;
  return async (...args: unknown[]) => {
    const [query, condition, options] = args;
    const { start, timeZone, arguments: values } = Object(options);
    const searched = { start, timeZone, arguments: values };
    const [expectation] = resolveSearch('waitFor', [query as string], searched);
    try {
      const rows = await Reflect.apply(waitFor, client, args);
      if (typeof condition !== 'function') await source.requireInput(rows, expectation!, searched);
      return rows;
    } catch (error) {
      if (!(error instanceof LogWaitTimeoutException)) throw error;
      const what = expectationLine(expectation!, source.mask);
      const closest = await nearest({ source, loggers, paint: NO_PAINT }, expectation!, searched);
      const head = error.message.replace('the query (see .query)', () => what);
      error.message = [head, '', ...closest].join('\n');
      throw error;
    }
  };
}
