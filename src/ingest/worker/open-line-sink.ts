import { InProcessLineSink, type LineSink } from './line-sink.ts';
import { workerFile } from './worker-file.ts';
import { WorkerLineSink, type WorkerLineSinkOptions } from './worker-line-sink.ts';
import { isDeliveryWorker } from './worker-thread.ts';

export interface LineSinkOptions extends Omit<WorkerLineSinkOptions, 'file'> {
  /** The name of the worker's entry among the package's files. */
  readonly fileName: string;
  /** Gives `import.meta.url` of the caller, of which some bundlers leave nothing, and others code that throws. */
  readonly moduleUrl: () => string | undefined;
}

/** Delivers from a worker, or, where there can't be one, from this thread, with a warning. */
export function openLineSink({ fileName, moduleUrl, ...options }: LineSinkOptions): LineSink {
  if (isDeliveryWorker()) return openInProcess(options);
  try {
    return new WorkerLineSink({ ...options, file: workerFile(fileName, moduleUrl()) });
  } catch (error) {
    const message = error instanceof Error ? error.message : 'unknown error';
    options.emitter.warnings.report(
      'internal',
      () => `Records are delivered from the main thread instead of a worker: ${message}.`,
    );
    return openInProcess(options);
  }
}

function openInProcess(options: Omit<WorkerLineSinkOptions, 'file'>): LineSink {
  return new InProcessLineSink(options.ingesterOptions, options.mapperFor, options.emitter);
}
