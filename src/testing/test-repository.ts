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
  /** The server, where it is one of this process; it is then asked without a socket. */
  readonly server: LocalServer | undefined;
  /** Gives back what the test had. */
  close(): Promise<void>;
}

/** Opens a repository on a server of its own, or on the one that is given. */
export async function openTestRepository({ server, serverOptions }: LogTestOptions): Promise<TestRepository> {
  return server === undefined ? onOwnServer(await startLocalServer(serverOptions)) : onSharedServer(server);
}

function onOwnServer(server: LocalServer): TestRepository {
  const { url, repository, userToken, ingestToken } = server;
  // A test that forgets to close it must not keep its runner from ending.
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
