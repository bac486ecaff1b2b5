import { join } from 'node:path';
import { contentTypeOf } from '../../../server/node/page-files.ts';
import { readPlayFiles } from '../../../server/node/play-files.ts';
import { writeOutputFile } from '../../output/output-file.ts';
import { writeOutput } from '../../output/standard-output.ts';
import { row } from '../serve/banner.ts';
import { servePage } from '../serve/open-page.ts';
import { PAGE_PORTS, type PageFlags } from '../serve/page-flags.ts';
import { type PageServer, startPageServer } from '../serve/page-server.ts';
import { startOnPort } from '../serve/port.ts';

export interface PlayFlags extends Omit<PageFlags, 'allowHost'> {
  readonly out?: string;
}

type PlayFiles = ReturnType<typeof readPlayFiles>;

/** Serves the playground until a signal, or writes its files to a folder. */
export async function play({ port, out, ...flags }: PlayFlags): Promise<void> {
  const files = readPlayFiles();
  if (out !== undefined) {
    for (const [path, content] of files) await writeOutputFile(join(out, path), content);
    return writeOutput(`${out} has the playground: serve it as static files, over HTTPS.\n`);
  }
  const start = (free: number): Promise<PageServer> => startPlayServer(files, free);
  const server = await startOnPort(port, start, PAGE_PORTS);
  const data = row('data', 'stays in the browser; this command only serves the files of the page');
  await servePage(server, 'playground', server.url, flags, data);
}

function startPlayServer(files: PlayFiles, port: number): Promise<PageServer> {
  return startPageServer(({ url = '/' }, response) => {
    const path = new URL(url, 'http://localhost').pathname.slice(1) || 'index.html';
    const content = files.get(path);
    if (content === undefined) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('The playground has no such file.\n');
      return;
    }
    response
      .writeHead(200, {
        'content-type': contentTypeOf(path),
        'cache-control': 'no-cache',
        'x-content-type-options': 'nosniff',
      })
      .end(content);
  }, port);
}
