import { choosingServer } from '../../../core/discovery/local-servers.ts';
import { meantName } from '../../../core/nearest-name.ts';
import {
  type IngesterOptions,
  type ResolvedIngesterOptions,
  resolveIngesterOptions,
} from '../../../ingest/options.ts';
import { authenticationFailure, CommandFailure, usageFailure } from '../../output/command-failure.ts';
import { environmentSetting } from '../../output/environment.ts';
import type { Setting } from '../../output/setting.ts';
import { type ConnectionSettings, resolveConnection } from '../../settings/connection-settings.ts';
import { describeFailure, serverAdvice } from '../../settings/failure.ts';
import { connectionOptions, openClient, requireSettings, sayIfInsecure } from '../../settings/service.ts';
import type { IngestFlags } from './ingest-flags.ts';

/**
 * Runs an action with options for an ingest token, which belongs to a repository; or for a user token and a repository,
 * if a flag sets one of them or no ingest token is set.
 */
export async function withIngest(
  flags: IngestFlags,
  action: (options: ResolvedIngesterOptions, target: string) => Promise<void>,
): Promise<void> {
  const connection = await resolveConnection(flags);
  const isHec = (flags.format ?? environmentSetting(connection.environment, 'format')?.value) === 'hec';
  const { client } = connection;
  if (
    client !== undefined &&
    !(isHec && environmentSetting(connection.environment, 'ingestUrl') !== undefined)
  ) {
    throw usageFailure(
      `Next-Gen SIEM (${client.id.origin}) accepts events only through a HEC connector. Pass --format hec, and set LOGSCALE_INGEST_URL to its address and LOGSCALE_INGEST_TOKEN to its API key.`,
    );
  }
  const url = isHec ? collectorUrl(flags, connection) : connection.url;
  // A collector and its token are both in the environment.
  const ingestToken =
    url.origin === 'LOGSCALE_INGEST_URL'
      ? environmentSetting(connection.environment, 'ingestToken')
      : connection.ingestToken;
  const hasToken = flags.token !== undefined || flags.tokenFile !== undefined;
  // The ingest token of a local server stores events in its first repository.
  const isOther = connection.localServer !== undefined && connection.repository?.origin !== 'local server';
  const isUser =
    !isHec && (hasToken || flags.repository !== undefined || ingestToken === undefined || isOther);
  const token = isUser || hasToken ? connection.token : ingestToken;
  const settings = { ...connection, token, repository: isUser ? connection.repository : undefined, url };
  if (isHec && settings.token === undefined && flags.profile !== undefined) {
    throw usageFailure(
      `the profile "${flags.profile}" has no API key for the format "hec". Set LOGSCALE_INGEST_URL and LOGSCALE_INGEST_TOKEN.`,
    );
  }
  if (settings.token === undefined) {
    throw authenticationFailure(
      `no token is set. Set LOGSCALE_INGEST_TOKEN, or LOGSCALE_TOKEN and LOGSCALE_REPOSITORY. ${serverAdvice(settings)}`.trimEnd(),
    );
  }
  requireSettings(settings, { repository: isUser });
  if (flags.quiet !== true) sayIfInsecure(settings);
  try {
    if (!isHec && flags.parser !== undefined) await checkParser(flags.parser, connection);
    const options = await ingesterOptions(settings, settings.token.value, flags);
    const { host } = options.connection.baseUrl;
    // An ingest token determines the repository, which is only known of a local server.
    const repository = settings.repository ?? (connection.localServer && connection.repository);
    await action(options, repository === undefined ? host : `${host}, repository ${repository.value}`);
  } catch (error) {
    throw describeFailure(error, settings);
  }
}

/** @throws CommandFailure without this parser, as the service would store plain text, if the credentials can list parsers */
async function checkParser(name: string, settings: ConnectionSettings): Promise<void> {
  const { token, repository } = settings;
  if (token === undefined || repository === undefined) return;
  const client = await openClient(settings);
  const parsers = await client.listParsers().catch(() => undefined);
  const names = parsers?.map((each) => each.name) ?? [name];
  if (names.includes(name)) return;
  const advice = meantName(name, names, '"logclient parsers list" shows its parsers.');
  throw new CommandFailure(`the repository "${repository.value}" has no parser "${name}". ${advice}`);
}

/** @throws CommandFailure without an address, because an event collector has no default one. */
function collectorUrl({ url: flag }: IngestFlags, { url, environment }: ConnectionSettings): Setting {
  const collector = environmentSetting(environment, 'ingestUrl');
  if (flag === undefined && collector !== undefined) return collector;
  if (url.origin !== 'default') return url;
  throw usageFailure('no address is set for the format "hec". Set LOGSCALE_INGEST_URL.');
}

async function ingesterOptions(
  settings: ConnectionSettings,
  token: string,
  { tag, format, redact, redactKey: keys, retryTimeout = Number.POSITIVE_INFINITY }: IngestFlags,
): Promise<ResolvedIngesterOptions> {
  const { url, repository, timeoutMs } = settings;
  const credentials =
    repository === undefined ? { ingestToken: token } : { userToken: token, repository: repository.value };
  const { baseUrl, ...connection } = await connectionOptions(settings);
  const isCollector = url.origin === 'LOGSCALE_INGEST_URL';
  const options: IngesterOptions = {
    ...connection,
    ...(isCollector ? { ingestUrl: url.value } : { baseUrl }),
    format: isCollector ? 'hec' : format,
    ...credentials,
    tags: tag,
    ...((redact || keys) && { redact: { keys } }),
    overflow: 'block',
    // The longest line fits.
    maxQueueBytes: 16 * 1024 * 1024,
    flushIntervalMs: 200,
    requestTimeoutMs: Math.min(timeoutMs.value, retryTimeout * 1000),
    minRetryDelayMs: 500,
    maxRetryDelayMs: 15_000,
  };
  const resolved = resolveIngesterOptions(choosingServer(options, settings.localServer), 'ingest');
  // The command handles signals itself.
  return { ...resolved, flushOnSignals: [], isDefaultAddress: url.origin === 'default' };
}
