import { CommandFailure, usageFailure } from './command-failure.ts';
import { Interrupted } from './interruption.ts';

/**
 * Asks before something is gone for good. `--yes` answers beforehand, as it has to where there is nobody to ask.
 *
 * @param what as the end of the question: `the file "hosts.csv" of the repository "sandbox"`.
 * @throws CommandFailure when the answer is not yes.
 */
export async function confirmDeletion(
  what: string,
  isConfirmed: boolean,
  signal: AbortSignal,
): Promise<void> {
  if (isConfirmed) return;
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) {
    throw usageFailure(`this deletes ${what}. Pass --yes to do so without being asked.`);
  }
  const { createInterface } = await import('node:readline/promises');
  const questions = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await questions.question(`Delete ${what}? [y/N] `, { signal });
    if (!/^\s*y(es)?\s*$/i.test(answer)) throw new CommandFailure('nothing was deleted.');
  } catch (error) {
    if ((error as Error).name !== 'AbortError') throw error;
    process.stderr.write('\n');
    throw new Interrupted('SIGINT');
  } finally {
    questions.close();
  }
}
