import { type ResolvedIngesterOptions, resolveIngesterOptions } from '../../ingest/options.ts';
import { authenticationFailure, usageFailure } from '../command-failure.ts';
import { describeFailure } from '../failure.ts';
import { requireSettings, sayIfInsecure } from '../service.ts';
import { connectionOptions } from '../settings/connection-options.ts';
import { type ConnectionSettings, resolveConnection } from '../settings/connection-settings.ts';
import type { IngestFlags } from './ingest-flags.ts';

/**
 * Runs an action with options for an ingest token, which belongs to a repository; or for a user token and a repository,
 * if a flag sets one of them or no ingest token is set.
 */
export async function withIngest(
  flags: IngestFlags,
  action: (options: ResolvedIngesterOptions) => Promise<void>,
): Promise<void> {
  const found = await resolveConnection(flags);
  const { ingestToken, client } = found;
  if (client !== undefined) {
    throw usageFailure(
      `Next-Gen SIEM (${client.id.origin}) accepts events only through a HEC connector, which "logclient ingest" doesn't support. Use a transport with format: 'hec'.`,
    );
  }
  const asUser = flags.token !== undefined || flags.tokenFile !== undefined || flags.repository !== undefined;
  const isUser = asUser || ingestToken === undefined;
  const settings = isUser ? found : { ...found, token: ingestToken, repository: undefined };
  if (settings.token === undefined) {
    throw authenticationFailure(
      'no token is set. Set LOGSCALE_INGEST_TOKEN, or LOGSCALE_TOKEN and LOGSCALE_REPOSITORY.',
    );
  }
  requireSettings(settings, { repository: isUser });
  sayIfInsecure(settings);
  try {
    await action(await ingesterOptions(settings, settings.token.value, flags));
  } catch (error) {
    throw describeFailure(error, settings);
  }
}

async function ingesterOptions(
  settings: ConnectionSettings,
  token: string,
  { tag }: IngestFlags,
): Promise<ResolvedIngesterOptions> {
  const { url, repository, timeoutMs } = settings;
  const credentials =
    repository === undefined ? { ingestToken: token } : { userToken: token, repository: repository.value };
  const options = resolveIngesterOptions(
    {
      ...(await connectionOptions(settings)),
      ...credentials,
      tags: tag,
      overflow: 'block',
      // The longest line fits.
      maxQueueBytes: 16 * 1024 * 1024,
      flushIntervalMs: 200,
      requestTimeoutMs: timeoutMs.value,
      minRetryDelayMs: 500,
      maxRetryDelayMs: 15_000,
    },
    'ingest',
  );
  return { ...options, isDefaultAddress: url.origin === 'default' };
}
