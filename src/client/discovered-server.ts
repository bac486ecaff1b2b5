import { LogConnectionException } from '../errors.ts';
import { currentLocalServer, type LocalServerState, RESTART_ADVICE } from '../internal/local-servers.ts';
import type { ResolvedCredentials } from '../web/falcon/client-credentials.ts';

type BeforeRequest = () => Promise<Readonly<Record<string, string>>>;

/** Before each request to a discovered local server, checks that no other program uses its address. */
export function withCurrentToken(
  discovered: LocalServerState,
  tokenName: 'LOGSCALE_TOKEN' | 'LOGSCALE_INGEST_TOKEN',
): BeforeRequest {
  const current = followRestarts(discovered);
  return async () => ({ authorization: `Bearer ${(await current()).variables[tokenName]}` });
}

/** The same for Next-Gen SIEM, whose access tokens belong to the credentials of one server. */
export function withSameCredentials(
  discovered: LocalServerState,
  { clientSecret }: ResolvedCredentials,
): BeforeRequest {
  const current = followRestarts(discovered);
  return async () => {
    const { url, variables } = await current();
    if (variables.FALCON_CLIENT_SECRET === clientSecret) return {};
    throw new LogConnectionException(
      `The local server at ${url} was restarted with other credentials. Restart this program.`,
    );
  };
}

function followRestarts(discovered: LocalServerState): () => Promise<LocalServerState> {
  let server = discovered;
  return async () => {
    const current = await currentLocalServer(server);
    if (current !== undefined) server = current;
    else {
      throw new LogConnectionException(
        `The local server that was found at ${server.url} has stopped. ${RESTART_ADVICE}`,
      );
    }
    return server;
  };
}
