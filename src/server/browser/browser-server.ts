import { Hono } from 'hono/tiny';
import type { WorkerContents, WorkerRequest } from '../../core/wire/worker-messages.ts';
import { noReferenceData, type ReferenceData } from '../../engine/index.ts';
import { createClock } from '../clock.ts';
import { chunksOf, type Decompression } from '../environment.ts';
import { withFallbackResponses } from '../fallback-responses.ts';
import type { Authentication } from '../http/authentication.ts';
import { DEFAULT_LIMITS, type ResolvedLocalServerOptions } from '../local-server-options.ts';
import { openRepository, Repositories } from '../repositories.ts';
import { ingestRoutes } from '../routes/ingest-routes.ts';
import { queryJobsRoutes } from '../routes/query-jobs-routes.ts';
import { queryRoutes } from '../routes/query-routes.ts';
import { statusRoutes } from '../routes/status-routes.ts';
import { temporaryRepositoriesRoutes } from '../routes/temporary-repositories-routes.ts';
import { wholeResultRoutes } from '../routes/whole-results-routes.ts';
import { openCore } from '../server-core.ts';
import { noFolder } from '../state-folder.ts';
import { EventStore } from '../store/event-store.ts';
import { RowBatch } from '../store/row-batch.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import { pageGraphqlRoute } from './page-graphql.ts';

export interface BrowserServerOptions extends WorkerContents {
  readonly maxEvents?: number;
  readonly maxBytes?: number;
}

/** A local server in a web page or a worker: the routes that the page requests, without a listener and files. */
export interface BrowserServer {
  /**
   * @param body the body of the request, which can't be read from it: Firefox has no `Request.body`.
   * @param onProgress called as the body is read, with the number of bytes so far
   */
  respond(
    request: Request,
    body?: WorkerRequest['body'],
    onProgress?: (bytes: number) => void,
  ): Promise<Response>;
}

/** Only the page that runs the server can send requests to it. */
const trustedPage: Authentication = {
  principal: () => ({ kind: 'user' }),
  requireUser: () => {},
  tokenName: () => 'no token',
};

const streamDecompression: Decompression = {
  gunzip: () => Promise.reject(new Error('a page does not compress its requests')),
  gunzipChunks: (chunks) => chunksOf(streamOf(chunks).pipeThrough(new DecompressionStream('gzip'))),
};

/** Chunks as a stream. Not `ReadableStream.from()`, which Chrome and Safari lack. */
function streamOf(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const iterator = chunks[Symbol.asyncIterator]();
  return new ReadableStream({
    pull: async (controller) => {
      const { value, done } = await iterator.next();
      if (done === true) controller.close();
      else controller.enqueue(value as Uint8Array<ArrayBuffer>);
    },
  });
}

async function* readBody(
  body: WorkerRequest['body'],
  onProgress: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunksOf(new Blob([body]).stream())) {
    yield chunk;
    bytes += chunk.byteLength;
    onProgress(bytes);
  }
}

/** Options of a listener, of files and of services that a page doesn't have. */
const UNUSED_OPTIONS = {
  port: 0,
  host: '',
  allowedHosts: [],
  listen: false,
  ngsiem: false,
  repositories: [],
  referenceData: {},
} as const;

export function openBrowserServer(options: BrowserServerOptions): BrowserServer {
  const { repositories, files = {}, addresses, ...limits } = options;
  const [repository = 'sandbox'] = Object.keys(repositories);
  const resolved: ResolvedLocalServerOptions = {
    ...DEFAULT_LIMITS,
    ...limits,
    ...UNUSED_OPTIONS,
    repository,
    // biome-ignore lint/suspicious/noConsole: in a browser, it is where failures of a page are reported.
    onWarning: (message) => console.error(message),
  };
  const clock = createClock(resolved.now);
  const openStore = (): EventStore => new EventStore(resolved);
  const core = openCore({
    options: resolved,
    clock,
    folder: noFolder,
    repositories: new Repositories({ clock, folder: noFolder, openStore }),
    referenceData: addresses === undefined ? noReferenceData : referenceDataOf(addresses),
    closing: new AbortController().signal,
    // Browsers don't report a limit.
    heap: () => ({ used: 0, limit: 1 }),
    // They go with the page.
    fileIdleMs: Number.POSITIVE_INFINITY,
  });
  for (const [name, events] of Object.entries(repositories)) {
    const created = openRepository(core.repositories, name, undefined);
    if (events.length > 0) created.store.append(new RowBatch(events as StoredEvent[]));
    for (const [file, content] of Object.entries(files)) {
      void created.files.put(file, new TextEncoder().encode(content));
    }
  }
  const context = { ...core, authentication: trustedPage };
  const app = new Hono();
  temporaryRepositoriesRoutes(app, context);
  ingestRoutes(app, context);
  queryRoutes(app, context);
  queryJobsRoutes(app, context);
  wholeResultRoutes(app, context);
  statusRoutes(app, context);
  pageGraphqlRoute(app, context);
  withFallbackResponses(app, context, 'This server in a web page has:');
  return {
    respond: async (request, body = '', onProgress = () => {}) =>
      app.fetch(request, {
        bodyScript: { incoming: () => readBody(body, onProgress) },
        decompression: streamDecompression,
      }),
  };
}

type KnownAddress = { [Name in keyof ReferenceData]?: ReturnType<ReferenceData[Name]> };

function referenceDataOf(addresses: NonNullable<WorkerContents['addresses']>): ReferenceData {
  const known = (address: string): KnownAddress => addresses[address] ?? {};
  return {
    location: (address) => known(address).location,
    autonomousSystem: (address) => known(address).autonomousSystem,
    hostName: (address) => known(address).hostName,
    indicators: (_, value) => known(value).indicators ?? [],
  };
}
