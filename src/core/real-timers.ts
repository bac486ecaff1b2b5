import * as timers from 'node:timers';

/** Node's timers, read before a test can replace them with fake ones. */
export const {
  setTimeout: startRealTimer,
  clearTimeout: stopRealTimer,
  setImmediate: startRealImmediate,
} = timers;
