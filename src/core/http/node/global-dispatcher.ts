/** Where undici, and Node's own copy of it, store the dispatcher of `fetch`. */
const GLOBAL_DISPATCHER = Symbol.for('undici.globalDispatcher.1');
/** undici 8 stores it here, and a wrapper of it under the name above. */
const LATER_GLOBAL_DISPATCHER = Symbol.for('undici.globalDispatcher.2');
const WRAPPER_NAME = 'Dispatcher1Wrapper';

/**
 * Whether the program has called undici's `setGlobalDispatcher`, with a proxy, a mock or an agent with options.
 * Requests then go through `fetch`, which uses it. True if in doubt.
 *
 * Every copy of undici installs its own default agent, which is recognized by its name and lack of options.
 */
export function hasGlobalDispatcher(): boolean {
  const places = globalThis as Record<symbol, object | undefined>;
  const installed = places[GLOBAL_DISPATCHER];
  const isWrapper = installed?.constructor.name.endsWith(WRAPPER_NAME) === true;
  const dispatcher = (isWrapper ? places[LATER_GLOBAL_DISPATCHER] : undefined) ?? installed;
  if (dispatcher === undefined) return false;
  const symbol = Object.getOwnPropertySymbols(dispatcher).find(
    ({ description }) => description === 'options',
  );
  if (dispatcher.constructor.name !== 'Agent' || symbol === undefined) return true;
  const options = (dispatcher as Record<symbol, unknown>)[symbol];
  if (typeof options !== 'object' || options === null) return true;
  return Object.values(options).some((value) => value !== undefined && value !== Number.POSITIVE_INFINITY);
}
