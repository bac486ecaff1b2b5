import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import { unrefTimer } from '../../core/clock.ts';
import { LogOptionsException } from '../../core/errors.ts';
import { createClock, type ServerClock } from '../clock.ts';
import { useRuntime } from '../event-loop.ts';
import type { Faults } from '../faults/fault.ts';
import { FaultScript } from '../faults/fault-script.ts';
import { type Fetch, inProcessFetch } from '../http/in-process-fetch.ts';
import { RequestLog } from '../http/request-log.ts';
import { requestReader } from '../ingest/request-reader.ts';
import { type Inspection, inspectionOf } from '../inspection.ts';
import { keepHost } from '../line-query/stored-lines.ts';
import {
  type LocalServerOptions,
  type NgsiemServerOptions,
  type ResolvedLocalServerOptions,
  resolveLocalServerOptions,
} from '../local-server-options.ts';
import { type LogscaleAccess, logscaleAccess } from '../logscale-access.ts';
import { type NgsiemAccess, ngsiemAccess } from '../ngsiem/ngsiem-access.ts';
import { lastRepository, Repositories } from '../repositories.ts';
import type { ServerHost } from '../server-context.ts';
import { DiskError, noFolder, type StateFolder } from '../state-folder.ts';
import { EventStore } from '../store/event-store.ts';
import { FILE_IDLE_MS } from '../temporary-repositories.ts';
import { lockDataFolder } from './data-folder-lock.ts';
import { DiskFolder } from './disk-folder.ts';
import { EventLog } from './event-log.ts';
import { lazyHttpApi } from './lazy-http-api.ts';
import { listen } from './listener.ts';
import { openReferenceData } from './reference-data/open-reference-data.ts';
import { ServerPort } from './server-port.ts';

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
  return open(given);
}

/** Starts a server for lines of files. It loads its HTTP API, which reading lines does not need, at the first request. */
export async function startLineServer(options: LocalServerOptions): Promise<LocalServer> {
  return (await open(options, false)) as LocalServer;
}

async function open(
  given: LocalServerOptions | NgsiemServerOptions | undefined,
  loadsNow = true,
): Promise<LocalServer | NgsiemServer> {
  const options = resolveLocalServerOptions(given);
  useRuntime(setImmediate);
  let unlock = (): void => {};
  try {
    const folder = options.dataDir === undefined ? noFolder : DiskFolder.open(options.dataDir);
    if (folder instanceof DiskFolder) unlock = await lockDataFolder(folder, options.onWarning);
    const usesLast = !options.ngsiem && (given as LocalServerOptions | undefined)?.repository === undefined;
    const last = usesLast ? lastRepository(folder).get().repository : '';
    const referenceData = await openReferenceData(options.referenceData);
    const closing = new AbortController();
    const clock = createClock(options.now);
    const host: ServerHost = {
      options: { ...options, repository: last || options.repository },
      clock,
      folder,
      repositories: new Repositories({
        clock,
        folder: folder.subfolder('repositories'),
        openStore: (events) => openStore(options, events),
      }),
      referenceData,
      closing: closing.signal,
      heap: () => {
        const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
        return { used, limit };
      },
      fileIdleMs: FILE_IDLE_MS,
    };
    const release = (): void => {
      closing.abort();
      referenceData.close();
    };
    return await start(host, loadsNow, release, unlock);
  } catch (error) {
    unlock();
    if (!(error instanceof DiskError)) throw error;
    throw new LogOptionsException(`startLocalServer: the "dataDir" can't be used. ${error.message}`, {
      cause: error,
    });
  }
}

async function start(
  host: ServerHost,
  loadsNow: boolean,
  release: () => void,
  unlock: () => void,
): Promise<LocalServer | NgsiemServer> {
  const { options, clock, repositories, closing } = host;
  const access = options.ngsiem ? ngsiemAccess(host, options.ngsiem) : logscaleAccess(host);
  const secret = randomBytes(32).toString('base64url');
  const script = new FaultScript();
  const requests = new RequestLog(options);
  const api = lazyHttpApi(host, { access, secret, faults: script, requests });
  if (loadsNow) await api.load();
  const stop = (): void => {
    release();
    api.opened?.close();
  };
  const closeStores = (): void => {
    for (const { store } of repositories.list()) store.close();
  };
  const opening = options.listen ? listen(api, options.port, options.host) : undefined;
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
    ...access,
    ...(options.ngsiem && { hecUrl: `${url}/services/collector` }),
    url,
    secret,
    clock,
    faults,
    inspect: inspectionOf(host, requests, api),
    fetch: inProcessFetch(api.handle, closing, () => port.cut),
    unref: () => listener?.unref(),
    close,
    [Symbol.asyncDispose]: close,
  };
  return keepHost(server as LocalServer | NgsiemServer, host);
}

function openStore(options: ResolvedLocalServerOptions, folder: StateFolder): EventStore {
  const { maxEvents, maxBytes, onWarning } = options;
  if (!(folder instanceof DiskFolder)) return new EventStore({ maxEvents, maxBytes });
  const log = new EventLog({ folder, maxEvents, maxBytes, readRequest: requestReader(), onWarning });
  return new EventStore({ maxEvents, maxBytes, log });
}
