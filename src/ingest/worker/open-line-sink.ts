import { InProcessLineSink, type LineSink } from './line-sink.ts';
import { WorkerLineSink, type WorkerLineSinkOptions } from './worker-line-sink.ts';
import { isDeliveryWorker, workerFile } from './worker-thread.ts';

export interface OpenLineSinkOptions extends Omit<WorkerLineSinkOptions, 'file'> {
  /** File name of the worker's entry in the package. */
  readonly fileName: string;
  /** Returns `import.meta.url` of the caller. Some bundlers remove it, others make it throw. */
  readonly moduleUrl: () => string | undefined;
}

/** Delivers from a worker. If no worker can be started, delivers from this thread, with a warning. */
export function openLineSink({ fileName, moduleUrl, ...options }: OpenLineSinkOptions): LineSink {
  if (isDeliveryWorker()) return new InProcessLineSink(options);
  try {
    return new WorkerLineSink({ ...options, file: workerFile(fileName, moduleUrl()) });
  } catch (error) {
    const message = error instanceof Error ? error.message : 'unknown error';
    options.emitter.warnings.report(
      'internal',
      () => `Records are delivered from the main thread instead of a worker: ${message}.`,
    );
    return new InProcessLineSink(options);
  }
}
