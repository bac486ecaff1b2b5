import { runInNewContext } from 'node:vm';

type Errors = Pick<typeof globalThis, 'Error' | 'TypeError' | 'RangeError' | 'AggregateError'>;

/** The classes of another realm: as in `vm` contexts, and those of Node's own modules under Jest. */
export const otherRealm: Errors = runInNewContext('globalThis');

/** Rows for `it.each`: the errors of this realm and of another one. */
export const REALMS: readonly [string, Errors][] = [
  ['this realm', globalThis],
  ['another realm', otherRealm],
];
