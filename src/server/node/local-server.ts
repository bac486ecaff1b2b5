import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import { unrefTimer } from '../../core/clock.ts';
import { LogOptionsException } from '../../core/errors.ts';
import type { ServerClock } from '../clock.ts';
import { useRuntime } from '../event-loop.ts';
import type { Faults } from '../faults/fault.ts';
import { FaultScript } from '../faults/fault-script.ts';
import { type Fetch, inProcessFetch } from '../http/in-process-fetch.ts';
import { RequestLog } from '../http/request-log.ts';
import { requestReader } from '../ingest/request-reader.ts';
import { type Inspection, inspectionOf } from '../inspection.ts';
import { keepCore } from '../line-query/stored-lines.ts';
import {
  type LocalServerOptions,
  type NgsiemServerOptions,
  type ResolvedLocalServerOptions,
  resolveLocalServerOptions,
} from '../local-server-options.ts';
import { type LogscaleAccess, logscaleService } from '../logscale-service.ts';
import { type NgsiemAccess, ngsiemService } from '../ngsiem/ngsiem-service.ts';
import { lastRepository } from '../repositories.ts';
import type { ServerCore, Service } from '../server-context.ts';
import { closeCore, openCore } from '../server-core.ts';
import { DiskError, noFolder, type StateFolder } from '../state-folder.ts';
import { EventStore } from '../store/event-store.ts';
import { FILE_IDLE_MS } from '../temporary-repositories.ts';
import { lockDataFolder } from './data-folder-lock.ts';
import { DiskFolder } from './disk-folder.ts';
import { EventLog } from './event-log.ts';
import { identityRoute } from './identity-route.ts';
import { listen } from './listener.ts';
import { pageRoutes } from './page-routes.ts';
import { openReferenceData } from './reference-data/open-reference-data.ts';
import { requestHandler } from './request-handler.ts';
import { ServerPort } from './server-port.ts';

/** For people who request `/` with another program than a browser. */
const GREETING = `This is the local server of logclient: the HTTP API of Falcon LogScale (formerly Humio) on one computer.

REST     /api/v1/              GET /api/v1/status returns the health
GraphQL  POST /graphql
HEC      POST /services/collector
`;

/** The origin of a server without a port: clients need one, and only `server.fetch` accepts it. */
const PORTLESS_URL = 'http://localhost';
const RETENTION_SWEEP_MS = 60_000;

export interface RunningServer extends AsyncDisposable {
  /** Base URL for clients. With `listen: false`, it works only with {@link fetch}. */
  readonly url: string;
  /** Random key with which this server proves its identity to programs that discover it. Requests never contain it. */
  readonly secret: string;
  /** The server's clock. Tests can stop and move it. */
  readonly clock: ServerClock;
  /** Scripted failures: error responses, delays, dropped connections, a port that is closed for a while. */
  readonly faults: Faults;
  /** Direct access to the server's state, without HTTP. */
  readonly inspect: Inspection;
  /** Sends a request to the server without a socket. Same signature as the global `fetch`. */
  readonly fetch: Fetch;
  /** Lets the process exit while the server is open, like `unref()` of a Node.js server. */
  unref(): void;
  /** Ends streams and query jobs, and closes the port and all files. Safe to call more than once. */
  close(): Promise<void>;
}

/** A running local server that emulates LogScale. */
export interface LocalServer extends RunningServer, LogscaleAccess {}

/** A running local server that emulates Next-Gen SIEM. */
export interface NgsiemServer extends RunningServer, NgsiemAccess {}

/**
 * Starts a local server with the HTTP API of LogScale, or of Next-Gen SIEM, and its own event store.
 *
 * @example
 * await using server = await startLocalServer();
 * const client = new LogClient({ baseUrl: server.url, repository: server.repository, userToken: server.userToken });
 *
 * @throws LogOptionsException if an option is invalid, or the port or `dataDir` is in use
 */
export function startLocalServer(options: NgsiemServerOptions): Promise<NgsiemServer>;
export function startLocalServer(options?: LocalServerOptions): Promise<LocalServer>;
export async function startLocalServer(
  given?: LocalServerOptions | NgsiemServerOptions,
): Promise<LocalServer | NgsiemServer> {
  const options = resolveLocalServerOptions(given);
  const { ngsiem } = options;
  if (ngsiem) return open(options, (core) => ngsiemService(core, ngsiem));
  return open(options, logscaleService, (given as LocalServerOptions | undefined)?.repository === undefined);
}

async function open<Access extends object>(
  options: ResolvedLocalServerOptions,
  emulate: (core: ServerCore) => Service<Access>,
  usesLastRepository = false,
): Promise<RunningServer & Access> {
  useRuntime(setImmediate);
  let unlock = (): void => {};
  try {
    const folder = options.dataDir === undefined ? noFolder : DiskFolder.open(options.dataDir);
    if (folder instanceof DiskFolder) unlock = await lockDataFolder(folder, options.onWarning);
    const last = usesLastRepository ? lastRepository(folder).get().repository : '';
    const referenceData = await openReferenceData(options.referenceData);
    const closing = new AbortController();
    const core = openCore({
      options: { ...options, repository: last || options.repository },
      folder,
      referenceData,
      closing: closing.signal,
      heap: () => {
        const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
        return { used, limit };
      },
      fileIdleMs: FILE_IDLE_MS,
      openStore: (events) => openStore(options, events),
    });
    const stop = (): void => {
      closing.abort();
      closeCore(core);
      referenceData.close();
    };
    return await start(core, emulate(core), stop, unlock);
  } catch (error) {
    unlock();
    if (!(error instanceof DiskError)) throw error;
    throw new LogOptionsException(`startLocalServer: the "dataDir" can't be used. ${error.message}`, {
      cause: error,
    });
  }
}

async function start<Access extends object>(
  core: ServerCore,
  { app, access }: Service<Access>,
  stop: () => void,
  unlock: () => void,
): Promise<RunningServer & Access> {
  const { options, clock, repositories, closing } = core;
  const secret = randomBytes(32).toString('base64url');
  if (!options.ngsiem) pageRoutes(app, GREETING);
  identityRoute(app, secret);
  const script = new FaultScript();
  const requests = new RequestLog(options);
  const handle = requestHandler({
    app: (request, environment) => app.fetch(request, environment),
    faults: script,
    requests,
    closing,
  });
  const closeStores = (): void => {
    for (const { store } of repositories.list()) store.close();
  };
  const opening = options.listen ? listen(handle, options.port, options.host) : undefined;
  const listener = await opening?.catch((error: unknown) => {
    stop();
    closeStores();
    throw error;
  });
  const port = new ServerPort(listener, options.onWarning);
  // Queries only expire the events of the repositories they read.
  const expire = (): void => {
    for (const repository of repositories.list()) repository.expire();
  };
  const sweeper = unrefTimer(setInterval(expire, RETENTION_SWEEP_MS));
  const closeAll = async (): Promise<void> => {
    clearInterval(sweeper);
    stop();
    await port.end();
    closeStores();
    unlock();
  };
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= closeAll());
  const url = listener?.url ?? PORTLESS_URL;
  const faults: Faults = {
    add: (fault) => script.add(fault),
    clear: () => script.clear(),
    closePort: (options) => port.closePort(options),
    openPort: () => port.openPort(),
  };
  const server = {
    ...access(url),
    url,
    secret,
    clock,
    faults,
    inspect: inspectionOf(core, requests),
    fetch: inProcessFetch(handle, closing, () => port.cut),
    unref: () => listener?.unref(),
    close,
    [Symbol.asyncDispose]: close,
  };
  return keepCore(server, core);
}

function openStore(options: ResolvedLocalServerOptions, folder: StateFolder): EventStore {
  const { maxEvents, maxBytes, onWarning } = options;
  if (!(folder instanceof DiskFolder)) return new EventStore({ maxEvents, maxBytes });
  const log = new EventLog({ folder, maxEvents, maxBytes, readRequest: requestReader(), onWarning });
  return new EventStore({ maxEvents, maxBytes, log });
}
