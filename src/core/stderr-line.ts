import { writeSync } from 'node:fs';
import { tryOr } from './try-or.ts';

const STDERR = 2;

/** Writes a line to stderr at once: in a worker, `process.stderr` needs the main thread, which may be exiting. */
export function writeErrorLine(line: string): void {
  tryOr(undefined, () => writeSync(STDERR, `${line}\n`)); // A closed stderr must not stop the program.
}
