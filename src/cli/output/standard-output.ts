import { once } from 'node:events';
import { CommandFailure } from '../command-failure.ts';

/** The reader of stdout closed the pipe (`logclient … | head`). Ends the command without a failure. */
export class OutputClosed extends Error {
  constructor() {
    super('The reader of stdout closed the pipe.');
    this.name = 'OutputClosed';
  }
}

const closing = new AbortController();
let isWatched = false;

/** Aborts with {@link OutputClosed} when the reader of stdout is gone, and with a failure when its disk is full. */
export function outputClosedSignal(): AbortSignal {
  watch();
  return closing.signal;
}

/**
 * Writes data, and waits for a reader that is slower.
 *
 * @throws OutputClosed
 */
export async function writeOutput(text: string | Uint8Array): Promise<void> {
  watch();
  closing.signal.throwIfAborted();
  if (text.length === 0 || process.stdout.write(text)) return;
  try {
    await once(process.stdout, 'drain', { signal: closing.signal });
  } finally {
    closing.signal.throwIfAborted();
  }
}

/**
 * Waits until it is known whether what was written last has found its place.
 *
 * @throws CommandFailure if not.
 */
export async function outputWritten(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  closing.signal.throwIfAborted();
}

/** Writes a line to stderr: progress, warnings, questions. */
export function writeNote(text: string): void {
  process.stderr.write(`${text}\n`);
}

function watch(): void {
  if (isWatched) return;
  isWatched = true;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    const isClosed = error.code === 'EPIPE';
    closing.abort(
      isClosed ? new OutputClosed() : new CommandFailure(`can't write the output (${error.code}).`),
    );
  });
  // There is nowhere left to report to.
  process.stderr.on('error', () => {});
}
