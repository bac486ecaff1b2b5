import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { usageFailure } from '../../output/command-failure.ts';
import { Interrupted } from '../../output/interruption.ts';

/** Whether a person can answer questions. */
export function isInteractive(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Asks for a line on the terminal. @param fallback the result if the line is empty. */
export async function ask(question: string, signal: AbortSignal, fallback = ''): Promise<string> {
  const hint = fallback === '' ? '' : ` [${fallback}]`;
  return (await readAnswer(`${question}${hint}: `, signal, process.stderr)) || fallback;
}

/** Asks for a secret on the terminal without showing it, or reads it from stdin if that is not a terminal. */
export async function askSecret(question: string, signal: AbortSignal): Promise<string> {
  if (process.stdin.isTTY !== true) return (await text(process.stdin)).trim();
  if (process.stderr.isTTY !== true) {
    throw usageFailure('no terminal to ask for the secret. Pass it on stdin.');
  }
  process.stderr.write(`${question} (hidden): `);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  try {
    return await readAnswer('', signal, nowhere);
  } finally {
    process.stderr.write('\n');
  }
}

/** Reads a line of the terminal. @throws Interrupted */
export async function readAnswer(
  question: string,
  signal: AbortSignal,
  output: NodeJS.WritableStream,
): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const questions = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 });
  const interrupted = new AbortController();
  // The terminal is in raw mode, where Ctrl-C is a key, and Ctrl-D ends the input.
  questions.once('SIGINT', () => interrupted.abort()).once('close', () => interrupted.abort());
  try {
    const answer = questions.question(question, { signal: AbortSignal.any([signal, interrupted.signal]) });
    return (await answer).trim();
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw new Interrupted('SIGINT');
    throw error;
  } finally {
    questions.close();
  }
}
