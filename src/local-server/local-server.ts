import { LogOptionsException } from '../errors.ts';
import { createApp } from './app.ts';
import { ServerClock } from './clock.ts';
import type { Faults } from './faults/fault.ts';
import { FaultScript } from './faults/fault-script.ts';
import { ServerPort } from './faults/server-port.ts';
import { Authentication } from './http/authentication.ts';
import { type Fetch, inProcessFetch } from './http/in-process-fetch.ts';
import { type Listener, listen } from './http/listener.ts';
import { requestHandler } from './http/request-handler.ts';
import { RequestLog } from './http/request-log.ts';
import { requestReader } from './ingest/request-reader.ts';
import { type Inspection, ServerInspection } from './inspection.ts';
import {
  type LocalServerOptions,
  type ResolvedLocalServerOptions,
  resolveLocalServerOptions,
} from './local-server-options.ts';
import { JobRunner } from './queries/job-runner.ts';
import { openReferenceData } from './reference-data/open-reference-data.ts';
import { newToken } from './registries/resource-id.ts';
import { Users } from './registries/users.ts';
import { Repositories } from './repositories.ts';
import type { Repository } from './repository.ts';
import { SearchDomains } from './search-domains.ts';
import { sharedAbortController } from './shared-abort-controller.ts';
import { lockDataFolder } from './store/data-folder-lock.ts';
import { DiskError } from './store/disk-error.ts';
import { EventLog } from './store/event-log.ts';
import { EventStore } from './store/event-store.ts';
import { StateFolder } from './store/state-file.ts';
import { Views } from './views/views.ts';

/** The origin of a server without a port: a client needs one, and only `server.fetch` understands it. */
const PORTLESS_URL = 'http://localhost';
const RETENTION_SWEEP_MS = 60_000;
const DEFAULT_TOKEN_NAME = 'default';

/** A running local server. */
export interface LocalServer extends AsyncDisposable {
  /** Base URL for clients. With `listen: false`, it works only with {@link fetch}. */
  readonly url: string;
  /** Name of the default repository. */
  readonly repository: string;
  /** API token with all permissions. */
  readonly userToken: string;
  /** Ingest token of {@link repository}. */
  readonly ingestToken: string;
  /** Ingest tokens by repository name, for all repositories created at startup. */
  readonly ingestTokens: Readonly<Record<string, string>>;
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

/**
 * Starts a local server with the HTTP API of LogScale and its own event store.
 *
 * @example
 * await using server = await startLocalServer();
 * const client = new LogClient({ baseUrl: server.url, repository: server.repository, userToken: server.userToken });
 *
 * @throws LogOptionsException if an option is invalid, or the port or `dataDir` is in use
 */
export async function startLocalServer(options?: LocalServerOptions): Promise<LocalServer> {
  const resolved = resolveLocalServerOptions(options);
  const folder = new StateFolder(resolved.dataDir);
  let unlock = (): void => {};
  try {
    if (folder.path !== undefined) unlock = lockDataFolder(folder.path);
    return await start(resolved, folder, unlock);
  } catch (error) {
    unlock();
    if (!(error instanceof DiskError)) throw error;
    throw new LogOptionsException(`startLocalServer: the "dataDir" can't be used. ${error.message}`, {
      cause: error,
    });
  }
}

async function start(
  options: ResolvedLocalServerOptions,
  folder: StateFolder,
  unlock: () => void,
): Promise<LocalServer> {
  const referenceData = await openReferenceData(options.referenceData);
  const clock = new ServerClock(options.now);
  const repositories = openRepositories(options, clock, folder);
  const [repository, ...others] = [options.repository, ...options.repositories].map((name) =>
    openRepository(repositories, name, options.retentionDays),
  ) as [Repository, ...Repository[]];
  const userToken = options.userToken ?? keptUserToken(folder);
  const ingestToken = defaultIngestToken(repository, options.ingestToken);
  const ingestTokens = Object.fromEntries(
    others.map((other) => [other.name, defaultIngestToken(other, undefined)]),
  );
  const searchDomains = new SearchDomains(repositories, new Views({ repositories, clock, folder }));
  const jobs = new JobRunner({ ...options, clock, searchDomains });
  const closing = sharedAbortController();
  const app = createApp({
    options,
    clock,
    repositories,
    searchDomains,
    users: new Users({ clock, folder }),
    authentication: new Authentication(userToken, repositories),
    jobs,
    referenceData,
    closing: closing.signal,
  });
  const script = new FaultScript();
  const requests = new RequestLog(options);
  const handle = requestHandler({
    app: (request, environment) => app.fetch(request, environment),
    faults: script,
    requests,
    closing: closing.signal,
  });
  const stop = (): void => {
    closing.abort();
    jobs.close();
    referenceData.close();
  };
  const closeStores = (): void => {
    for (const { store } of repositories.list()) store.close();
  };
  let listener: Listener | undefined;
  try {
    if (options.listen) listener = await listen(handle, options.port, options.host);
  } catch (error) {
    stop();
    closeStores();
    throw error;
  }
  const port = new ServerPort(listener, options.onWarning);
  // Who looks at events finds none that are too old; this is for those that nobody looks at.
  const sweeper = setInterval(() => {
    for (const repository of repositories.list()) repository.expire();
  }, RETENTION_SWEEP_MS).unref();
  const close = once(async () => {
    clearInterval(sweeper);
    stop();
    await port.end();
    closeStores();
    unlock();
  });
  return {
    url: listener?.url ?? PORTLESS_URL,
    repository: repository.name,
    userToken,
    ingestToken,
    ingestTokens: { ...ingestTokens, [repository.name]: ingestToken },
    clock,
    faults: faultsOf(script, port),
    inspect: new ServerInspection(repository.name, repositories, jobs, requests),
    fetch: inProcessFetch(handle, { isClosed: () => closing.signal.aborted, cut: () => port.cut }),
    unref: () => listener?.unref(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function faultsOf(script: FaultScript, port: ServerPort): Faults {
  return {
    add: (fault) => script.add(fault),
    clear: () => script.clear(),
    closePort: (options) => port.closePort(options),
    openPort: () => port.openPort(),
  };
}

function once(action: () => Promise<void>): () => Promise<void> {
  let result: Promise<void> | undefined;
  return () => {
    result ??= action();
    return result;
  };
}

function openRepositories(
  options: ResolvedLocalServerOptions,
  clock: ServerClock,
  folder: StateFolder,
): Repositories {
  return new Repositories({
    clock,
    folder: folder.subfolder('repositories'),
    openStore: (_, events) => openStore(options, events),
  });
}

function openRepository(
  repositories: Repositories,
  name: string,
  timeBasedRetention: number | undefined,
): Repository {
  const repository = repositories.get(name) ?? repositories.create(name);
  if (timeBasedRetention !== undefined) repository.retention.set({ timeBasedRetention });
  return repository;
}

function openStore(options: ResolvedLocalServerOptions, folder: StateFolder): EventStore {
  const { maxEvents, maxBytes, onWarning } = options;
  const log =
    folder.path === undefined
      ? undefined
      : new EventLog({ folder: folder.path, maxEvents, maxBytes, readRequest: requestReader(), onWarning });
  return new EventStore({ maxEvents, maxBytes, log });
}

/** A token of an earlier run, so that clients need not be told a new one after each start. */
function keptUserToken(folder: StateFolder): string {
  const file = folder.file('user-token.json');
  const kept = file.read() as { userToken?: unknown } | undefined;
  if (typeof kept?.userToken === 'string') return kept.userToken;
  const userToken = newToken();
  file.write({ userToken });
  return userToken;
}

function defaultIngestToken({ ingestTokens }: Repository, wanted: string | undefined): string {
  const kept = ingestTokens.findByName(DEFAULT_TOKEN_NAME);
  if (kept !== undefined && (wanted === undefined || kept.token === wanted)) return kept.token;
  if (wanted !== undefined && ingestTokens.find(wanted) !== undefined) return wanted;
  if (kept !== undefined) ingestTokens.remove(DEFAULT_TOKEN_NAME);
  return ingestTokens.add({ name: DEFAULT_TOKEN_NAME, token: wanted }).token;
}
