import { setMaxListeners } from 'node:events';

/** A controller whose signal every open request listens to: there may be any number of them without a warning. */
export function sharedAbortController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}
