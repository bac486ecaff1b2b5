import { fileURLToPath } from 'node:url';
import { markTransport } from '../../../src/ingest/report/transport-mark.ts';

/** Options of a thread-stream that `pino.transport` creates. Targets are absolute paths or file URLs. */
interface ThreadOptions {
  readonly filename?: unknown;
  readonly workerData?: {
    readonly targets?: readonly Target[];
    readonly pipelines?: readonly (readonly Target[])[];
  };
}

interface Target {
  readonly target?: unknown;
}

/** Entries of `logclient/pino`, in this and any other copy of this package. */
const OUR_FILES = ['pino.js', 'pino.cjs'].map((name) => fileURLToPath(new URL(`./${name}`, import.meta.url)));
const OUR_FILE = /[\\/]node_modules[\\/]logclient[\\/]dist[\\/]pino\.c?js$/;

/** Wraps the class of thread-stream, because pino's streams do not say what runs in their worker. */
export function trackTransports<T extends new (options: ThreadOptions) => object>(threadStream: T): T {
  return new Proxy(threadStream, {
    construct(target, args: [ThreadOptions], newTarget) {
      const stream: object = Reflect.construct(target, args, newTarget);
      if (targetsOf(args[0]).some(isOurFile)) markTransport(stream);
      return stream;
    },
  });
}

function targetsOf({
  filename,
  workerData: { targets = [], pipelines = [] } = {},
}: ThreadOptions): unknown[] {
  return [filename, ...[...targets, ...pipelines.flat()].map(({ target }) => target)];
}

function isOurFile(target: unknown): boolean {
  if (typeof target !== 'string') return false;
  const file = target.startsWith('file:') ? fileURLToPath(target) : target;
  return OUR_FILES.includes(file) || OUR_FILE.test(file);
}
