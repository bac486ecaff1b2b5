import type { Dispatcher } from 'undici';
import { Agent, getGlobalDispatcher } from './undici-parts.ts';

const WRAPPER_NAME = 'Dispatcher1Wrapper';
const LATER_PLACE = Symbol.for('undici.globalDispatcher.2');

/**
 * Whether requests go the plain way: by undici's global dispatcher, and nobody has put one of their own there, such as
 * a proxy, a mock or an agent with options. In doubt they don't.
 *
 * Every copy of undici makes its own default, Node's built-in one too, so it is known by its looks; by its class where
 * a bundler has changed the names.
 */
export function usesPlainDispatcher(dispatcher: Dispatcher | undefined): boolean {
  if (dispatcher !== undefined) return false;
  const globalDispatcher = unwrapped(getGlobalDispatcher());
  const symbol = Object.getOwnPropertySymbols(globalDispatcher).find(
    ({ description }) => description === 'options',
  );
  const { constructor: type } = globalDispatcher;
  if ((type !== Agent && type.name !== 'Agent') || symbol === undefined) return false;
  const options = (globalDispatcher as Record<symbol, unknown>)[symbol];
  if (typeof options !== 'object' || options === null) return false;
  return Object.values(options).every((value) => value === undefined || value === Number.POSITIVE_INFINITY);
}

/** Later versions of undici put a wrapper in the place where this one looks, and what it wraps in a place of its own. */
function unwrapped(dispatcher: object): object {
  if (!dispatcher.constructor.name.endsWith(WRAPPER_NAME)) return dispatcher;
  const wrapped: unknown = (globalThis as Record<symbol, unknown>)[LATER_PLACE];
  return typeof wrapped === 'object' && wrapped !== null ? wrapped : dispatcher;
}
