import { onTestFinished } from 'vitest';
import { LogClient } from '../../src/client/log-client.ts';
import type { ServiceKind } from '../../src/core/http/service-kind.ts';
import {
  type LocalServer,
  type LocalServerOptions,
  type NgsiemServer,
  startLocalServer,
} from '../../src/server/index.ts';

/** Every kind of service, for `describe.each`. `isLogScale` says what one of them lacks. */
export const SERVICE_KINDS: readonly ServiceKind[] = ['logscale', 'ngsiem'];

/** An event to log. */
export interface LoggedEvent {
  /** Epoch milliseconds. */
  readonly timestamp: number;
  readonly attributes: Readonly<Record<string, unknown>>;
}

export interface StartedService {
  readonly server: LocalServer | NgsiemServer;
  readonly client: LogClient;
  /** Resolves when the events can be found. */
  readonly log: (events: readonly LoggedEvent[]) => Promise<void>;
}

/** Starts a local server of a kind, which closes at the end of the test, and a client. */
export async function startServiceOfKind(
  kind: ServiceKind,
  options: Omit<LocalServerOptions, 'ngsiem'> & { readonly tokenLifetimeMs?: number } = {},
): Promise<StartedService> {
  const { tokenLifetimeMs, ...rest } = options;
  if (kind === 'logscale') {
    const server = await startLocalServer(rest);
    onTestFinished(() => server.close());
    const { url: baseUrl, repository, userToken } = server;
    const client = new LogClient({ baseUrl, repository, userToken });
    const log = async (events: readonly LoggedEvent[]): Promise<void> => {
      await client.ingestJsonData([{ events: events as never }]);
    };
    return { server, client, log };
  }
  const ngsiem = tokenLifetimeMs === undefined ? true : { tokenLifetimeMs };
  const server = await startLocalServer({ ...rest, ngsiem });
  onTestFinished(() => server.close());
  const { url: baseUrl, repository, auth, hecUrl, hecToken } = server;
  const log = async (events: readonly LoggedEvent[]): Promise<void> => {
    const response = await fetch(hecUrl, {
      method: 'POST',
      headers: { authorization: `Bearer ${hecToken}` },
      body: events
        .map(({ timestamp, attributes }) => JSON.stringify({ time: timestamp / 1_000, event: attributes }))
        .join('\n'),
    });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  };
  return { server, client: new LogClient({ baseUrl, repository, auth }), log };
}
