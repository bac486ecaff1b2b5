/** The local server in a browser: in the worker of the playground, or in the HTML report of a failed test. */
import { useHashing } from '../../engine/index.ts';
import { useRuntime } from '../event-loop.ts';
import { messageTurns } from './message-turns.ts';
import { nobleHashing } from './noble-hashing.ts';
import { serveReport } from './report-server.ts';
import { serveWorker } from './worker-server.ts';

useHashing(nobleHashing);
useRuntime(messageTurns());
if ('document' in globalThis) serveReport();
else serveWorker();
