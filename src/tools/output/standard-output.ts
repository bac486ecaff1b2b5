import { once } from 'node:events';
import { fstatSync } from 'node:fs';
import { CommandFailure } from './command-failure.ts';
import { type Pager, pagerCommand, startPager } from './pager.ts';
import { PipeReaders } from './pipe-readers.ts';
import { visibleLines } from './terminal-text.ts';

/** The reader of stdout closed the pipe (`logclient … | head`). Ends the command without a failure. */
export class OutputClosed extends Error {
  constructor() {
    super('The reader of stdout closed the pipe.');
    this.name = 'OutputClosed';
  }
}

/** How often to check for a closed pipe while there is nothing to write. */
const CHECK_INTERVAL_MS = 500;

const closing = new AbortController();
let isWatched = false;
let pager: Pager | undefined;
let readers: PipeReaders | undefined;
let hasFailed = false;

/** Aborts with {@link OutputClosed} when the reader of stdout exits, and with a failure when the disk is full. */
export function outputClosedSignal(): AbortSignal {
  watch();
  return closing.signal;
}

/** The same for a command without an end of its own. A reader such as `head` can exit before the first check. */
export function endlessOutputSignal(): AbortSignal {
  watch();
  readers?.areGone();
  return closing.signal;
}

/** Writes data, with backpressure from the reader. @throws OutputClosed */
export async function writeOutput(text: string | Uint8Array): Promise<void> {
  watch();
  closing.signal.throwIfAborted();
  const output = pager?.input ?? process.stdout;
  if (text.length === 0 || output.write(text)) return;
  try {
    await once(output, 'drain', { signal: closing.signal });
  } finally {
    closing.signal.throwIfAborted();
  }
}

/** Reports a failure after which the command goes on: it fails at its end. */
export function failLater(message: string): void {
  writeNote(`logclient: ${message}`);
  hasFailed = true;
}

/** Waits until all output is written. @throws CommandFailure if writing failed, or after {@link failLater}. */
export async function outputWritten(): Promise<void> {
  const failed = hasFailed;
  hasFailed = false;
  await new Promise((resolve) => setImmediate(resolve));
  closing.signal.throwIfAborted();
  if (failed) throw new CommandFailure('');
}

/** Redirects further output to the pager in the environment, if stdout is a terminal. */
export function openPager({ atEnd }: { readonly atEnd: boolean }): void {
  const command = pagerCommand(process.env);
  if (process.stdout.isTTY !== true || command === undefined) return;
  pager = startPager(command, atEnd);
  pager.input.on('error', onError);
}

/** Whether a pager uses the terminal. */
export function isPaging(): boolean {
  return pager !== undefined;
}

/** Waits until the user quits the pager, if there is one. @throws CommandFailure if the pager can't be run. */
export async function closePager(): Promise<void> {
  const open = pager;
  pager = undefined;
  await open?.close();
}

/** Writes a line to stderr: progress, warnings, questions. */
export function writeNote(text: string, paint = (plain: string): string => plain): void {
  process.stderr.write(`${paint(visibleLines(text))}\n`);
}

function watch(): void {
  if (isWatched) return;
  isWatched = true;
  process.stdout.on('error', onError);
  // A closed stderr must not end the command.
  process.stderr.on('error', () => {});
  watchReader();
}

/** Notices a closed pipe while there is nothing to write: `logclient tail … | head -1`. */
function watchReader(): void {
  const { fd } = process.stdout;
  const stats = process.stdout.isTTY === true ? undefined : fstatSync(fd);
  if (stats?.isFIFO() !== true && stats?.isSocket() !== true) return;
  if (stats.isFIFO() && process.platform === 'linux') readers = new PipeReaders(fd);
  const timer = setInterval(() => {
    if (closing.signal.aborted) clearInterval(timer);
    else if (readers?.areGone() === true) closing.abort(new OutputClosed());
    // Fails with EPIPE for a socket, and on other systems also for a pipe.
    else if (readers === undefined && process.stdout.writableLength === 0) process.stdout.write('');
  }, CHECK_INTERVAL_MS);
  timer.unref();
}

function onError(error: NodeJS.ErrnoException): void {
  const isClosed = error.code === 'EPIPE';
  closing.abort(
    isClosed ? new OutputClosed() : new CommandFailure(`can't write the output (${error.code}).`),
  );
}
