import type { LineMapper } from '../ingest-line-stream.ts';
import { lineText } from '../record/line-bytes.ts';
import { type LineMapperFactory, ReportingLineStream } from './reporting-line-stream.ts';
import { WorkerProgress } from './worker-progress.ts';
import { END_LINE, type WorkerMessage, type WorkerRequest, type WorkerSettings } from './worker-protocol.ts';

const END_MARK = END_LINE.charCodeAt(0);

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
      // Without a limit: the program says when it can't wait.
      { holdsBack: {} },
    );
    this.#progress = new WorkerProgress(progress);
    port.on('message', (request: WorkerRequest) => {
      if (request.name === 'flush') this.flush(() => post({ name: 'flushed', id: request.id }));
      else this[request.name]();
    });
  }

  override write(chunk: string | Buffer, ...rest: unknown[]): boolean {
    const isTaken = super.write(chunk, ...rest);
    this.#progress.addReceived(Buffer.byteLength(chunk));
    return isTaken;
  }

  protected override tookOver(lines: number): void {
    this.#progress.addTaken(lines);
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
    const isEnd = line.bytes[line.start] === END_MARK && lineText(line) === END_LINE;
    if (!isEnd) return recordOf(line, nowMs);
    end();
    return undefined;
  };
}
