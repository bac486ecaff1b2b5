/** The entry of the worker thread. thread-stream loads it and writes the transport's lines to what it returns. */
import { parentPort } from 'node:worker_threads';
import { IngestLineStream } from '../../src/ingest/ingest-line-stream.ts';
import { Ingester } from '../../src/ingest/ingester.ts';
import { createRecord } from '../../src/ingest/record.ts';
import { CLOSED_EVENT, decodeLine, END_LINE, type WorkerSettings } from './worker-protocol.ts';

export default function startWorker({ options, hasStarted }: WorkerSettings): IngestLineStream {
  const ingester = new Ingester(options);
  Atomics.store(hasStarted, 0, 1);
  Atomics.notify(hasStarted, 0);
  return new IngestLineStream(ingester, (line) => {
    if (line === END_LINE) {
      void ingester.close().then(() => {
        parentPort?.postMessage({ code: 'EVENT', name: CLOSED_EVENT, args: [] });
      });
      return undefined;
    }
    const { eventText, tagsText } = decodeLine(line, ingester.tags.baseText);
    return createRecord(eventText, tagsText);
  });
}
