import { createServer } from 'node:net';
import type { FreshProject, Outcome } from '../fresh-project.ts';

/** Starts a server, requests `/` and stops it. */
const CALL = `
import { spawn } from 'node:child_process';
const server = spawn(process.execPath, [process.argv[2]], { stdio: 'inherit' });
const url = 'http://127.0.0.1:' + process.env.PORT;
const call = () => fetch(url).catch(() => new Promise((settle) => setTimeout(settle, 100)).then(call));
console.log(await (await call()).text());
server.kill();`;

/**
 * Starts the server of an app, requests `/` and stops it.
 *
 * @param folder its working directory.
 * @param file the program of the server, relative to the folder.
 * @param env such as `LOGSCALE_URL=…`.
 */
export async function callServer(
  project: FreshProject,
  folder: string,
  file: string,
  env: readonly string[],
): Promise<Outcome> {
  const call = await project.write('call.mjs', CALL);
  const address = [`PORT=${await freePort()}`, 'HOSTNAME=127.0.0.1'];
  return project.run('env', '-C', folder, ...address, ...env, process.execPath, call, file);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  const { port } = server.address() as { port: number };
  await new Promise((settle) => server.close(settle));
  return port;
}
