/** The checks of queries: a script of its own, which the page loads for its first query. Reports contain it. */
import { check } from '../../language/index.ts';

Object.assign(globalThis, { checkQuery: check });
