import type { ConnectionSettings } from '../../settings/connection-settings.ts';
import { describeFailure } from '../../settings/failure.ts';
import { openClient } from '../../settings/service.ts';

/** Runs a query over the last second, or without a repository, another request that needs access. @throws CommandFailure */
export async function proveService(settings: ConnectionSettings, signal: AbortSignal) {
  try {
    const client = await openClient(settings);
    const startedAt = performance.now();
    if (settings.repository === undefined) await client.listRepositories({ signal });
    else await client.query('count()', { start: '1s', signal });
    // A region redirect can change the address.
    return { url: client.baseUrl, durationMs: Math.round(performance.now() - startedAt) };
  } catch (error) {
    throw describeFailure(error, settings);
  }
}

/** Name of the kind of service. */
export function serviceName({ service }: Pick<ConnectionSettings, 'service'>): string {
  return service === 'ngsiem' ? 'Next-Gen SIEM' : 'LogScale';
}
