import { randomUUID } from 'node:crypto';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LocalServerState } from '../../src/core/discovery/local-servers.ts';
import type { ServerAccess } from './server-process.ts';

/**
 * Writes a state file like `logclient serve`, by default for this process.
 *
 * @param stateHome the directory in `XDG_STATE_HOME`, or `.local/state` in a home directory.
 * @returns the path of the file.
 */
export async function writeStateFile(
  stateHome: string,
  state: Partial<LocalServerState> & { readonly mode?: number },
): Promise<string> {
  const { mode = 0o600, ...given } = state;
  const complete: LocalServerState = {
    pid: process.ppid,
    startedAt: Date.now(),
    directory: '/',
    url: 'http://127.0.0.1:9',
    variables: {},
    secret: randomUUID(),
    ...given,
  };
  const folder = join(stateHome, 'logclient', 'servers');
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${randomUUID()}.json`);
  await writeFile(file, JSON.stringify(complete));
  await chmod(file, mode);
  return file;
}

/** The state of a server in this process. */
export function stateOf(server: ServerAccess & { readonly secret: string }): Partial<LocalServerState> {
  const { url, secret, repository, userToken, ingestToken } = server;
  const variables = {
    LOGSCALE_URL: url,
    LOGSCALE_REPOSITORY: repository,
    LOGSCALE_TOKEN: userToken,
    LOGSCALE_INGEST_TOKEN: ingestToken,
  };
  return { url, secret, variables };
}
