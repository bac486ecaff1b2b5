import { discoverLocalServer, type FoundServer, howToUseServer } from '../core/discovery/local-servers.ts';
import { firstSet, fromEnvironment, nameOfSetting, requireSetting } from '../core/environment.ts';
import { LogOptionsException } from '../core/errors.ts';
import { callOptionsOf } from '../core/http/call-options.ts';
import {
  type ClientCredentials,
  type ResolvedCredentials,
  resolveCredentials,
  resolveFalconAddress,
} from '../core/http/falcon/client-credentials.ts';
import type { FalconCloud } from '../core/http/falcon/clouds.ts';
import {
  CONNECTION_OPTION_NAMES,
  type ConnectionOptions,
  type ResolvedConnectionOptions,
  resolveConnectionOptions,
} from '../core/http/node/connection-options.ts';
import type { WebCallerOptions } from '../core/http/node/web-caller.ts';
import type { OnRequest } from '../core/http/request-report.ts';
import {
  refuseUnknownOptions,
  rejectPair,
  requireFunction,
  requireOptions,
  requireText,
  requireToken,
  resolveAll,
} from '../core/option-checks.ts';
import { tryOr } from '../core/try-or.ts';

/** Options of both clients. */
export interface RequestOptions extends ConnectionOptions {
  /** Maximum number of retries of each request; see the option of calls, which overrides it. @default that of the call */
  maxRetries?: number | undefined;
  /**
   * Called after each attempt at a request, for streams when the response starts. Errors of the function only emit a
   * process warning.
   *
   * @example
   * ```ts
   * const client = new LogClient({ onRequest: (report) => console.error(JSON.stringify(report)) });
   * ```
   */
  onRequest?: OnRequest | undefined;
}

/** Options of {@link LogClient}. */
export interface LogClientOptions extends RequestOptions {
  /** Repository or view to work with. @default LOGSCALE_REPOSITORY from the environment */
  repository?: string | undefined;
  /**
   * User API token of Falcon LogScale. Can't be combined with `auth`.
   *
   * @default LOGSCALE_TOKEN, LOGSCALE_API_TOKEN or HUMIO_TOKEN from the environment
   */
  userToken?: string | undefined;
  /**
   * API client of CrowdStrike Next-Gen SIEM. Can't be combined with `userToken`. The API is below `/humio/` unless
   * `baseUrl` has a path.
   *
   * @default FALCON_CLIENT_ID and FALCON_CLIENT_SECRET from the environment
   */
  auth?: ClientCredentials | undefined;
  /**
   * CrowdStrike cloud of the API client: `us-1`, `us-2`, `eu-1` or `us-gov-1`. Requires `auth`. Can't be combined with
   * `baseUrl`.
   *
   * @default FALCON_CLOUD from the environment, unless FALCON_BASE_URL is set; else `us-1`, which redirects API clients
   * to their cloud, except to `us-gov-1`
   */
  cloud?: FalconCloud | undefined;
}

/** Options of {@link LogIngestClient}. */
export interface LogIngestClientOptions extends RequestOptions {
  /** Ingest token, which also determines the repository. @default LOGSCALE_INGEST_TOKEN from the environment */
  ingestToken?: string | undefined;
}

/** How a client authenticates: its kind of service follows from it. */
export type ResolvedAuth =
  | { readonly service: 'logscale'; readonly token: string }
  | { readonly service: 'ngsiem'; readonly credentials: ResolvedCredentials };

interface ResolvedLogClientOptions {
  readonly repository: string;
  readonly auth: ResolvedAuth;
  readonly connection: ResolvedRequestOptions;
}

const OWNER = 'LogClient';

export type ResolvedRequestOptions = ResolvedConnectionOptions &
  Pick<WebCallerOptions, 'maxRetries' | 'maxRetryAfterMs' | 'onRequest'>;

const REQUEST_OPTION_NAMES = [...CONNECTION_OPTION_NAMES, 'maxRetries', 'onRequest'];

function resolveRequestOptions(
  owner: string,
  options: RequestOptions,
  token: string,
): ResolvedRequestOptions {
  const { maxRetries } = callOptionsOf(owner, { maxRetries: options.maxRetries });
  const onRequest = requireFunction(owner, 'onRequest', options.onRequest);
  const connection = resolveConnectionOptions(owner, options, token);
  return { ...connection, maxRetries, maxRetryAfterMs: options.timeoutMs, onRequest };
}

/** @throws LogOptionsException */
export function resolveLogClientOptions(options: LogClientOptions): ResolvedLogClientOptions {
  requireOptions(OWNER, options);
  const server = discoverLocalServer(options, 'client');
  if (server === undefined) return resolveClient(options);
  const resolved = resolveClient({ ...options, ...localServerOptions(server, options) });
  return { ...resolved, connection: { ...resolved.connection, localServer: server } };
}

/** The settings of a discovered local server, as options. */
function localServerOptions(
  { variables }: FoundServer,
  { repository = fromEnvironment('repository') ?? variables.LOGSCALE_REPOSITORY }: LogClientOptions,
): LogClientOptions {
  const { FALCON_CLIENT_ID: clientId } = variables;
  if (clientId === undefined) {
    return { baseUrl: variables.LOGSCALE_URL, repository, userToken: variables.LOGSCALE_TOKEN };
  }
  const auth = { clientId, clientSecret: variables.FALCON_CLIENT_SECRET };
  return { baseUrl: variables.FALCON_BASE_URL, repository, auth };
}

function resolveClient(options: LogClientOptions): ResolvedLogClientOptions {
  const { repository, access } = resolveAll(
    {
      repository: () =>
        requireText(OWNER, 'repository', requireSetting(OWNER, 'repository', options.repository)).trim(),
      access: () => resolveAccess(options),
    },
    [
      () => refuseUnknownOptions(OWNER, options, LOG_CLIENT_OPTIONS),
      () => rejectPair(OWNER, options, 'auth', 'userToken'),
      () => rejectPair(OWNER, options, 'cloud', 'baseUrl'),
    ],
  );
  return { repository, ...access };
}

function resolveAccess(options: LogClientOptions): Omit<ResolvedLogClientOptions, 'repository'> {
  if (!usesClientCredentials(options)) {
    const { token, connection } = resolveAll({
      token: () => tokenOf(OWNER, 'userToken', options.userToken),
      connection: () => resolveRequestOptions(OWNER, options, 'userToken'),
      cloud: () => {
        if (options.cloud === undefined) return;
        throw new LogOptionsException(`${OWNER}: "cloud" needs "auth". For LogScale, use "baseUrl".`);
      },
    });
    return { auth: { service: 'logscale', token }, connection };
  }
  const resolveAddress = (): URL => resolveFalconAddress(OWNER, options);
  const { credentials, connection } = resolveAll({
    credentials: () => resolveCredentials(OWNER, options.auth),
    address: resolveAddress,
    connection: () =>
      resolveRequestOptions(OWNER, { ...options, baseUrl: tryOr(options.baseUrl, resolveAddress) }, 'auth'),
  });
  return { auth: { service: 'ngsiem', credentials }, connection };
}

const LOG_CLIENT_OPTIONS = ['repository', 'userToken', 'auth', 'cloud', ...REQUEST_OPTION_NAMES];

/** @throws LogOptionsException if the environment has credentials of both kinds and the options don't choose. */
function usesClientCredentials({ auth, userToken }: LogClientOptions): boolean {
  if (auth !== undefined) return true;
  if (userToken !== undefined) return false;
  const falcon = firstSet('clientId', 'clientSecret');
  const token = firstSet('userToken');
  if (falcon !== undefined && token !== undefined) {
    throw new LogOptionsException(
      `${OWNER}: the environment has ${falcon} for Next-Gen SIEM and ${token} for LogScale. Unset one of them, or pass "auth" or "userToken".`,
    );
  }
  return falcon !== undefined;
}

/** A token of the options or the environment. @throws LogOptionsException */
function tokenOf(owner: string, name: 'userToken' | 'ingestToken', option: string | undefined): string {
  const token = requireSetting(owner, name, option, howToUseServer);
  return requireToken(owner, nameOfSetting(name, option), token);
}

/** @throws LogOptionsException */
export function resolveLogIngestClientOptions(options: LogIngestClientOptions): {
  token: string;
  connection: ResolvedRequestOptions;
} {
  const owner = 'LogIngestClient';
  requireOptions(owner, options);
  const server = discoverLocalServer(options, 'ingest');
  const { LOGSCALE_URL: baseUrl, LOGSCALE_INGEST_TOKEN: ingestToken } = server?.variables ?? {};
  const settings = server === undefined ? options : { ...options, baseUrl, ingestToken };
  return resolveAll(
    {
      token: () => tokenOf(owner, 'ingestToken', settings.ingestToken),
      connection: () => ({ ...resolveRequestOptions(owner, settings, 'ingestToken'), localServer: server }),
    },
    [() => refuseUnknownOptions(owner, options, ['ingestToken', ...REQUEST_OPTION_NAMES])],
  );
}
