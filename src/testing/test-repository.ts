import { randomUUID } from 'node:crypto';
import { LogClient, type LogClientOptions } from '../index.ts';
import { type LocalServer, startLocalServer } from '../local-server/index.ts';
import type { LogTestOptions, SharedServer } from './log-test-options.ts';

/** A repository that only one test uses. */
export interface TestRepository {
  readonly url: string;
  readonly repository: string;
  readonly userToken: string;
  readonly ingestToken: string;
  readonly client: LogClient;
  /** The server, if it is in this process; requests to it then use no socket. */
  readonly server: LocalServer | undefined;
  /** Releases the repository or the server. */
  close(): Promise<void>;
}

/** Opens a repository on a new server, or on the given one. */
export async function openTestRepository({ server, serverOptions }: LogTestOptions): Promise<TestRepository> {
  return server === undefined ? onOwnServer(await startLocalServer(serverOptions)) : onSharedServer(server);
}

function onOwnServer(server: LocalServer): TestRepository {
  const { url, repository, userToken, ingestToken } = server;
  // A test that forgets to close it must not keep the runner alive.
  server.unref();
  const client = new LogClient({ baseUrl: url, repository, userToken, fetch: server.fetch });
  return { url, repository, userToken, ingestToken, client, server, close: () => server.close() };
}

async function onSharedServer(shared: LocalServer | SharedServer): Promise<TestRepository> {
  const { url, userToken } = shared;
  const server = 'inspect' in shared ? shared : undefined;
  const repository = `test-${randomUUID()}`;
  const options: LogClientOptions = { baseUrl: url, repository, userToken };
  if (server !== undefined) options.fetch = server.fetch;
  const client = new LogClient(options);
  await client.createRepository(repository);
  const close = async (): Promise<void> => {
    await client.deleteSearchDomain(repository, { deleteMessage: 'The test is over.' });
  };
  try {
    const { token } = await client.addIngestToken('test');
    return { url, repository, userToken, ingestToken: token, client, server, close };
  } catch (error) {
    await close();
    throw error;
  }
}
