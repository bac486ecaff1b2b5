import { writeSync } from 'node:fs';

const STDERR = 2;

/** Writes a line to stderr at once: in a worker, `process.stderr` needs the main thread, which may be exiting. */
export function writeErrorLine(line: string): void {
  try {
    writeSync(STDERR, `${line}\n`);
  } catch {
    // A closed stderr must not stop the program.
  }
}
