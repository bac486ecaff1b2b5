import { isLoopbackHost } from '../../../core/allowed-hosts.ts';
import { countText } from '../../../core/count-text.ts';
import type { FoundServer } from '../../../core/discovery/local-servers.ts';
import { LogOptionsException } from '../../../core/errors.ts';
import type { LocalServer, LocalServerOptions, NgsiemServer } from '../../../server/index.ts';
import { usageFailure } from '../../output/command-failure.ts';
import { flagOf } from '../../output/flag-names.ts';
import { writeNote } from '../../output/standard-output.ts';
import { startOnPort } from './port.ts';
import { type LogLevel, repeatedRejections, requestLog } from './request-log.ts';

/** The flags of `logclient serve` that configure the server. */
export interface ServerFlags
  extends Pick<LocalServerOptions, 'port' | 'userToken' | 'ingestToken' | 'dataDir'>,
    Pick<LocalServerOptions, 'maxEvents' | 'maxBytes' | 'retentionDays'> {
  readonly host: string;
  readonly allowHost?: readonly string[];
  readonly repository?: readonly string[];
  readonly ngsiem?: boolean;
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly hecToken?: string;
  readonly logLevel: LogLevel;
}

/** A running server of either kind. */
export interface StartedServer extends FoundServer {
  /** `local server` or `local Next-Gen SIEM server`. */
  readonly kind: string;
  /** Address of the web page, with the token that it needs; `undefined` if there is no page. */
  readonly pageUrl?: string;
  /** Ingest tokens of the repositories that the variables don't name, by repository. */
  readonly moreIngestTokens: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
}

/** Starts a server on the port of the flags, or on a free one. @throws Error that names the flag to change */
export async function startServer(flags: ServerFlags): Promise<StartedServer> {
  if (flags.userToken !== undefined && flags.userToken.length < 16 && !isLoopbackHost(flags.host))
    writeNote(
      'logclient: other computers can reach this server, but its user token has less than 16 characters. Set a longer one in LOGCLIENT_USER_TOKEN.',
    );
  try {
    return await startOnPort(flags.port, (port) => start(flags, port));
  } catch (error) {
    const message = startFailure(error);
    // With a cause, the flag is valid, and the system rejected it: a port in use, a folder without permission.
    const isUsage = error instanceof LogOptionsException && error.cause === undefined;
    throw isUsage ? usageFailure(message) : new Error(message);
  }
}

async function start(
  { allowHost, clientId, clientSecret, hecToken, logLevel, ngsiem, repository: names, ...flags }: ServerFlags,
  port: number,
): Promise<StartedServer> {
  let page: string | undefined;
  const log = requestLog(logLevel, () => page);
  const options = { ...flags, ...log, ...(allowHost && { allowedHosts: allowHost }), port };
  // Loaded on demand, so that `logclient --help` doesn't load the server.
  const { startLocalServer } = await import('../../../server/index.ts');
  if (ngsiem === true) {
    // It has a repository of its own, and rejects others.
    const own = { ...(names && { repository: names }), ngsiem: { clientId, clientSecret, hecToken } };
    const server = await startLocalServer({ ...options, ...own });
    const variables = {
      FALCON_BASE_URL: server.url,
      FALCON_CLIENT_ID: server.clientId,
      FALCON_CLIENT_SECRET: server.clientSecret,
      LOGSCALE_REPOSITORY: server.repository,
      LOGSCALE_FORMAT: 'hec',
      LOGSCALE_INGEST_URL: server.hecUrl,
      LOGSCALE_INGEST_TOKEN: server.hecToken,
    };
    return { ...started(server), kind: 'local Next-Gen SIEM server', variables, moreIngestTokens: {} };
  }
  const [repository, ...repositories] = names ?? [];
  const own = { ngsiem: false, ...(repository !== undefined && { repository }), repositories } as const;
  const server = await startLocalServer({ ...options, ...own });
  page = server.url;
  const { [server.repository]: ingestToken = '', ...moreIngestTokens } = server.ingestTokens;
  const variables = {
    LOGSCALE_URL: server.url,
    LOGSCALE_REPOSITORY: server.repository,
    LOGSCALE_TOKEN: server.userToken,
    LOGSCALE_INGEST_TOKEN: ingestToken,
  };
  const pageUrl = `${server.url}/#token=${encodeURIComponent(server.userToken)}`;
  return { ...started(server), kind: 'local server', pageUrl, variables, moreIngestTokens };
}

function started(server: LocalServer | NgsiemServer) {
  const { inspect } = server;
  const close = async (): Promise<void> => {
    const dropped = inspect.repositories().reduce((sum, name) => sum + inspect.store(name).evicted, 0);
    await server.close();
    const flags = '--max-events, --max-bytes or --retention-days';
    if (dropped > 0) writeNote(`logclient: dropped ${countText(dropped, 'event')} because of ${flags}.`);
    // Of the rejections that were logged once, how often they occurred.
    for (const line of repeatedRejections(inspect.rejections())) process.stderr.write(`${line}\n`);
  };
  return { url: server.url, secret: server.secret, close };
}

/** The error of the server, with option names replaced by flags. */
export function startFailure(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message
    .replaceAll(/^(- )?startLocalServer: /gm, '$1')
    .replaceAll('"repositories"', '"repository"')
    .replaceAll('"ngsiem.', '"')
    .replace(
      /(?:the )?(?:option )?"(port|host|repository|userToken|ingestToken|ngsiem|clientId|clientSecret|hecToken|dataDir|max(?:Events|Bytes)|retentionDays)"/g,
      (_, name: string) => flagOf(name),
    );
}
