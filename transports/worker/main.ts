/** Program of the worker thread. thread-stream's half of it loads {@link realImport}. */
import 'thread-stream/lib/worker.js';
