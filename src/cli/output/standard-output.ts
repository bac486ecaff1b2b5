import { once } from 'node:events';
import { CommandFailure } from '../command-failure.ts';
import { type Pager, pagerCommand, startPager } from './pager.ts';

/** The reader of stdout closed the pipe (`logclient … | head`). Ends the command without a failure. */
export class OutputClosed extends Error {
  constructor() {
    super('The reader of stdout closed the pipe.');
    this.name = 'OutputClosed';
  }
}

const closing = new AbortController();
let isWatched = false;
let pager: Pager | undefined;

/** Aborts with {@link OutputClosed} when the reader of stdout exits, and with a failure when the disk is full. */
export function outputClosedSignal(): AbortSignal {
  watch();
  return closing.signal;
}

/**
 * Writes data, with backpressure from the reader.
 *
 * @throws OutputClosed
 */
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

/**
 * Waits until all output is written.
 *
 * @throws CommandFailure if writing failed.
 */
export async function outputWritten(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  closing.signal.throwIfAborted();
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

/**
 * Waits until the user quits the pager, if there is one.
 *
 * @throws CommandFailure if the pager can't be run.
 */
export async function closePager(): Promise<void> {
  const open = pager;
  pager = undefined;
  await open?.close();
}

/** Writes a line to stderr: progress, warnings, questions. */
export function writeNote(text: string): void {
  process.stderr.write(`${text}\n`);
}

function watch(): void {
  if (isWatched) return;
  isWatched = true;
  process.stdout.on('error', onError);
  // A closed stderr must not end the command.
  process.stderr.on('error', () => {});
}

function onError(error: NodeJS.ErrnoException): void {
  const isClosed = error.code === 'EPIPE';
  closing.abort(
    isClosed ? new OutputClosed() : new CommandFailure(`can't write the output (${error.code}).`),
  );
}
