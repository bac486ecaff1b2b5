import type { BaseLogClient } from '../../index.ts';
import { authenticationFailure } from '../command-failure.ts';
import type { IngestFlags } from '../commands/ingest.ts';
import { describeFailure } from '../failure.ts';
import { interruptSignal } from '../interruption.ts';
import { withService } from '../service.ts';
import { type ConnectionSettings, resolveConnection } from '../settings/connection-settings.ts';
import { connectionDispatcher } from '../settings/dispatcher.ts';

export interface IngestService {
  readonly client: BaseLogClient;
  readonly signal: AbortSignal;
}

/**
 * Runs an action with what may ingest: an ingest token, which names the repository itself; or a user's token and a
 * repository, if a flag names one of them or there is no ingest token.
 */
export async function withIngest(
  flags: IngestFlags,
  action: (service: IngestService) => Promise<void>,
): Promise<void> {
  const settings = await resolveConnection(flags);
  const { ingestToken, token } = settings;
  const asUser = flags.token !== undefined || flags.tokenFile !== undefined || flags.repository !== undefined;
  if (ingestToken === undefined || asUser) {
    if (token === undefined) {
      throw authenticationFailure(
        'there is no token. Set LOGSCALE_INGEST_TOKEN, or LOGSCALE_TOKEN and LOGSCALE_REPOSITORY.',
      );
    }
    await withService(flags, {}, action);
    return;
  }
  await withIngestToken({ ...settings, token: ingestToken }, action);
}

async function withIngestToken(
  settings: ConnectionSettings,
  action: (service: IngestService) => Promise<void>,
): Promise<void> {
  try {
    const { LogIngestClient } = await import('../../index.ts');
    const client = new LogIngestClient({
      baseUrl: settings.url.value,
      ingestToken: settings.token?.value,
      timeoutMs: settings.timeoutMs.value,
      dispatcher: await connectionDispatcher(settings),
    });
    await action({ client, signal: interruptSignal() });
  } catch (error) {
    throw describeFailure(error, settings);
  }
}
