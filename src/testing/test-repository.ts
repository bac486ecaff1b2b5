import { randomUUID } from 'node:crypto';
import { LogOptionsException } from '../core/errors.ts';
import { UNSCRIPTED_HEADER } from '../core/wire/unscripted.ts';
import { LogClient } from '../index.ts';
import type { LocalServer } from '../server/index.ts';
import type { LogTestOptions, SharedServer } from './log-test-options.ts';

/** A repository that only one test uses. */
export interface TestRepository
  extends Pick<LocalServer, 'url' | 'repository' | 'userToken' | 'ingestToken' | 'close'> {
  /** For the requests of the kit itself, which no fault affects. */
  readonly client: LogClient;
  /** The server, if it is in this process; requests to it then use no socket. */
  readonly server: LocalServer | undefined;
}

const headers = { [UNSCRIPTED_HEADER]: 'true' };

/** Opens a repository on a new server, or on the given one. */
export async function openTestRepository({ server, serverOptions }: LogTestOptions): Promise<TestRepository> {
  if (server !== undefined) return onSharedServer(server);
  // As in jest-environment-jsdom.
  if (typeof Response === 'undefined')
    throw new LogOptionsException(
      'This test environment lacks globals of Node.js that the local server needs, such as Response. Add the comment `/** @jest-environment node */` at the start of the test file.',
    );
  // Test files that only load the matchers don't load the server.
  const { startLocalServer } = await import('../server/index.ts');
  const own = await startLocalServer(serverOptions);
  const { url, repository, userToken, ingestToken } = own;
  // A test that forgets to close it must not keep the runner alive.
  own.unref();
  const client = new LogClient({ baseUrl: url, repository, userToken, fetch: own.fetch, headers });
  return { url, repository, userToken, ingestToken, client, server: own, close: () => own.close() };
}

async function onSharedServer(shared: LocalServer | SharedServer): Promise<TestRepository> {
  const { url, userToken } = shared;
  const server = 'inspect' in shared ? shared : undefined;
  const repository = `test-${randomUUID()}`;
  const client = new LogClient({ baseUrl: url, repository, userToken, fetch: server?.fetch, headers });
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
