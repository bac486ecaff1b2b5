import { Hono } from 'hono/tiny';
import { noReferenceData } from '../../engine/index.ts';
import { withCommonRoutes } from '../common-routes.ts';
import { type Connection, chunksOf, type Decompression } from '../environment.ts';
import type { Authentication } from '../http/authentication.ts';
import { resolveLocalServerOptions } from '../local-server-options.ts';
import { openRepository } from '../repositories.ts';
import type { Repository } from '../repository.ts';
import { ingestRoutes } from '../routes/ingest.ts';
import { patternsRoutes } from '../routes/patterns.ts';
import { queryRoutes } from '../routes/query.ts';
import { queryJobsRoutes } from '../routes/query-jobs.ts';
import { statusRoutes } from '../routes/status.ts';
import { temporaryRepositoriesRoutes } from '../routes/temporary-repositories.ts';
import { openCore } from '../server-core.ts';
import { noFolder } from '../state-folder.ts';
import { EventStore } from '../store/event-store.ts';
import { pageGraphqlRoute } from './page-graphql.ts';

export interface BrowserServerOptions {
  /** Name of the default repository. */
  readonly repository: string;
  /** Stops the clock at this time, in epoch milliseconds. @default the system clock */
  readonly now?: number;
  readonly maxEvents?: number;
  readonly maxBytes?: number;
}

/** A local server in a web page or a worker: the routes that the page requests, without a listener and files. */
export interface BrowserServer {
  /** `connection` has the body of the request. */
  respond(request: Request, connection: Connection): Promise<Response>;
  /** The repository with this name, which is created if it doesn't exist. */
  repository(name: string): Repository;
}

/** Only the page that runs the server can send requests to it. */
const trustedPage: Authentication = {
  principal: () => ({ kind: 'user' }),
  requireUser: () => {},
  tokenName: () => 'no token',
};

const streamDecompression: Decompression = {
  gunzip: () => Promise.reject(new Error('a page does not compress its requests')),
  gunzipChunks: (chunks) => {
    const { readable, writable } = new DecompressionStream('gzip');
    void write(chunks, writable.getWriter());
    return chunksOf(readable);
  },
};

/** Writes chunks to a stream, whose reader also gets the failure. */
async function write(
  chunks: AsyncIterable<Uint8Array>,
  writer: WritableStreamDefaultWriter<Uint8Array>,
): Promise<void> {
  try {
    for await (const chunk of chunks) await writer.write(chunk);
    await writer.close();
  } catch (error) {
    await writer.abort(error).catch(() => {});
  }
}

export function openBrowserServer(options: BrowserServerOptions): BrowserServer {
  const resolved = resolveLocalServerOptions({
    ...options,
    // biome-ignore lint/suspicious/noConsole: in a browser, it is where failures of a page are reported.
    onWarning: (message) => console.error(message),
  });
  const core = openCore({
    options: resolved,
    folder: noFolder,
    referenceData: noReferenceData,
    closing: new AbortController().signal,
    // Browsers don't report a limit.
    heap: () => ({ used: 0, limit: 1 }),
    // They go with the page.
    fileIdleMs: Number.POSITIVE_INFINITY,
    openStore: () => new EventStore(resolved),
  });
  const context = { ...core, authentication: trustedPage };
  openRepository(core.repositories, resolved.repository, undefined);
  const app = new Hono();
  temporaryRepositoriesRoutes(app, context);
  ingestRoutes(app, context);
  queryRoutes(app, context);
  queryJobsRoutes(app, context);
  patternsRoutes(app, context);
  statusRoutes(app, context);
  pageGraphqlRoute(app, context);
  withCommonRoutes(app, context, 'This server in a web page has:');
  return {
    respond: async (request, connection) =>
      app.fetch(request, { connection, decompression: streamDecompression }),
    repository: (name) => openRepository(core.repositories, name, undefined),
  };
}
