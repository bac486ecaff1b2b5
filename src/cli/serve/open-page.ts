import { spawn } from 'node:child_process';
import { writeNote } from '../output/standard-output.ts';

/** The commands of the operating systems that open a browser. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens an address in the browser. A computer without one gets a note. */
export function openPage(url: string): void {
  const [command = '', ...words] = OPENERS[process.platform] ?? ['xdg-open'];
  const opener = spawn(command, [...words, url], { stdio: 'ignore', detached: true });
  opener.on('error', ({ message }) => {
    writeNote(`logclient: can't open a browser (${message}). Open the link above.`);
  });
  opener.unref();
}
