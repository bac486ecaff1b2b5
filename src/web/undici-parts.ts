/**
 * The parts of undici that a request needs. All of undici would take twice the time to load and twice the memory, in
 * every program that logs. Its version is pinned, so that they stay where they are.
 */
import type * as undici from 'undici';
// @ts-expect-error The parts have no types; those of the whole hold for them.
import requestPart from 'undici/lib/api/api-request.js';
// @ts-expect-error
import connectPart from 'undici/lib/core/connect.js';
// @ts-expect-error
import agentPart from 'undici/lib/dispatcher/agent.js';
// @ts-expect-error
import globalPart from 'undici/lib/global.js';

type RequestOptions = Omit<undici.Dispatcher.RequestOptions, 'origin' | 'path'>;

export const Agent: typeof undici.Agent = agentPart;
export const buildConnector: typeof undici.buildConnector = connectPart;
export const getGlobalDispatcher: typeof undici.getGlobalDispatcher = globalPart.getGlobalDispatcher;

/** As undici's `request`, with the dispatcher named. */
export function request(
  url: URL,
  dispatcher: undici.Dispatcher,
  options: RequestOptions,
): Promise<undici.Dispatcher.ResponseData> {
  return requestPart.call(dispatcher, { ...options, origin: url.origin, path: url.pathname + url.search });
}
