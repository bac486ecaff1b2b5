import type { LineMapper } from '../ingest-line-stream.ts';
import { type LineMapperFactory, ReportingLineStream } from './reporting-line-stream.ts';
import { countLines, WorkerProgress } from './worker-progress.ts';
import { END_LINE, type WorkerMessage, type WorkerSettings } from './worker-protocol.ts';

/** The stream in the worker. It says how far it has come. */
class WorkerLineStream extends ReportingLineStream {
  readonly #progress: WorkerProgress;

  constructor({ options, forwardsWarnings, progress, port }: WorkerSettings, mapperFor: LineMapperFactory) {
    const post = (message: WorkerMessage): void => port.postMessage(message);
    const end = (): void => void this.closeDelivery().then(() => post({ name: 'closed' }));
    super(
      forwardsWarnings ? { ...options, onWarning: () => {} } : options,
      (tags) => withEndLine(mapperFor(tags), end),
      post,
      { holdsBack: true },
    );
    this.#progress = new WorkerProgress(progress);
  }

  override _write(chunk: string | Buffer, encoding: BufferEncoding, callback: () => void): void {
    super._write(chunk, encoding, callback);
    this.#progress.addTaken(countLines(String(chunk)));
  }
}

/**
 * Called by a worker's entry, which thread-stream loads; the lines of the main thread are written to what it returns.
 *
 * @param mapperFor what turns the lines into records.
 */
export function startWorker(settings: WorkerSettings, mapperFor: LineMapperFactory): ReportingLineStream {
  const progress = new WorkerProgress(settings.progress);
  process.once('exit', () => progress.markEnded());
  const stream = new WorkerLineStream(settings, mapperFor);
  progress.markStarted();
  return stream;
}

function withEndLine(recordOf: LineMapper, end: () => void): ReturnType<LineMapperFactory> {
  return (line, nowMs) => {
    if (line !== END_LINE) return recordOf(line, nowMs);
    end();
    return undefined;
  };
}
