import { choosingServer } from '../../core/discovery/local-servers.ts';
import { uptimeMs } from '../../core/uptime.ts';
import { type LineMapper, type LineMapperFactory, LineStream } from '../line-stream.ts';
import { resolveIngesterOptions } from '../options.ts';
import { askToExit } from '../process/process-exit.ts';
import { lineText } from '../record/line-bytes.ts';
import { WorkerProgress } from './worker-progress.ts';
import { END_LINE, type WorkerMessage, type WorkerRequest, type WorkerSettings } from './worker-protocol.ts';

/** The main thread ends the backpressure when it can't wait. */
const NO_LIMIT = { perWriteMs: Number.POSITIVE_INFINITY, untilCaughtUpMs: Number.POSITIVE_INFINITY };

const END_MARK = END_LINE.charCodeAt(0);

/** The stream in the worker, which reports its progress to the main thread. */
class WorkerLineStream extends LineStream {
  readonly #progress: WorkerProgress;

  constructor(settings: WorkerSettings, mapperFor: LineMapperFactory) {
    const { options, localServer, forwardsWarnings, progress, port } = settings;
    const hooks = forwardsWarnings ? { onWarning: () => {} } : {};
    const counters = new WorkerProgress(progress);
    const post = (message: WorkerMessage): void => port.postMessage(message);
    const onDelivered = (deliveredRecords: number): void => counters.add({ deliveredRecords });
    const end = (exitingForMs: number): void => {
      askToExit(uptimeMs() - exitingForMs);
      void this.pipeline.close().then(() => post({ name: 'closed' }));
    };
    super(
      resolveIngesterOptions(choosingServer({ ...options, ...hooks }, localServer)),
      (tags) => withEndLine(mapperFor(tags), end),
      { onEvent: post, onDelivered, backpressure: NO_LIMIT },
    );
    this.#progress = counters;
    port.on('message', (request: WorkerRequest) => {
      if (request.name === 'flush') {
        void this.flush().then((isFlushed) => post({ name: 'flushed', id: request.id, isFlushed }));
      } else if (request.name === 'abandon') this.pipeline.abandon();
      else this.pipeline.backpressure[request.name]();
    });
  }

  override write(chunk: string | Buffer, ...rest: unknown[]): boolean {
    const isAccepted = super.write(chunk, ...rest);
    this.#progress.add({ receivedBytes: Buffer.byteLength(chunk), steps: 1 });
    return isAccepted;
  }

  protected override accepted(acceptedBytes: number, acceptedRecords: number): void {
    this.#progress.add({ acceptedRecords, acceptedBytes, steps: 1 });
  }
}

/** Called by a worker's entry, which thread-stream loads. thread-stream writes the main thread's lines to the result. */
export function startWorker(settings: WorkerSettings, mapperFor: LineMapperFactory): LineStream {
  const progress = new WorkerProgress(settings.progress);
  process.once('exit', () => progress.add({ ended: 1 }));
  const stream = new WorkerLineStream(settings, mapperFor);
  progress.add({ started: 1 });
  return stream;
}

function withEndLine(recordOf: LineMapper, end: (exitingForMs: number) => void): LineMapper {
  return (line, nowMs) => {
    // No other line starts with it: the main thread escapes them.
    if (line.bytes[line.start] !== END_MARK) return recordOf(line, nowMs);
    end(Number(lineText(line).slice(END_LINE.length)));
    return undefined;
  };
}
