import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { version } from '../../../../package.json' with { type: 'json' };
import { interruptSignal, throwUnlessCtrlC, untilInterrupted } from '../../output/interruption.ts';
import { writeNote, writeOutput } from '../../output/standard-output.ts';
import { row } from './banner.ts';
import type { PageFlags } from './page-flags.ts';
import type { PageServer } from './page-server.ts';

/** The commands of the operating systems that open a file in a browser. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Browsers have read the file after this time. */
const FILE_LIFETIME_MS = 60_000;

/** Announces a page, and serves it until a signal. @throws what stopped it, unless Ctrl-C did */
export async function servePage(server: PageServer, ...announcement: Parameters<typeof announcePage>) {
  // A program may send the signal as soon as it has read the output.
  const interrupted = untilInterrupted();
  await announcePage(...announcement);
  await interrupted;
  await server.close();
  throwUnlessCtrlC(interruptSignal());
}

/** Prints what a page shows and its link, and opens it if the flags or the terminal say so. */
export async function announcePage(
  what: string,
  link: string,
  { open = process.stdout.isTTY === true }: PageFlags,
  ...rows: readonly string[]
): Promise<void> {
  const lines = [`logclient ${version}: ${what}`, row('page', link), ...rows, 'Press Ctrl-C to stop.'];
  await writeOutput(`${lines.join('\n')}\n`);
  if (open) openPage(link);
}

/**
 * Opens an address with a token in the browser, or prints a note if there is none.
 *
 * Other users can see the arguments of a command, so it opens a file that only this user can read.
 */
export function openPage(url: string): void {
  const fail = (reason: string): void =>
    writeNote(`logclient: can't open a browser (${reason}). Open the link above.`);
  try {
    const [command = '', ...words] = OPENERS[process.platform] ?? ['xdg-open'];
    const opener = spawn(command, [...words, redirectFile(url)], { stdio: 'ignore', detached: true });
    opener.on('error', ({ message }) => fail(message));
    opener.on('exit', (code) => {
      if (code !== 0 && code !== null) fail(`${command} exited with status ${code}`);
    });
    opener.unref();
  } catch (error) {
    fail((error as Error).message);
  }
}

/** Writes a page that redirects to the address. */
function redirectFile(url: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'logclient-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  setTimeout(remove, FILE_LIFETIME_MS).unref();
  const file = join(folder, 'open.html');
  writeFileSync(file, `<!doctype html><meta http-equiv="refresh" content="0; url=${url}">\n`, {
    mode: 0o600,
  });
  return file;
}
