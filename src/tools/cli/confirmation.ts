import { CommandFailure, usageFailure } from '../output/command-failure.ts';
import { Interrupted } from '../output/interruption.ts';

/**
 * Asks before deleting something permanently. `--yes` skips the question; without a terminal it is required.
 *
 * @param what the object of the question: `the file "hosts.csv" in the repository "sandbox"`.
 * @throws CommandFailure if the user does not confirm.
 */
export async function confirmDeletion(
  what: string,
  isConfirmed: boolean,
  signal: AbortSignal,
): Promise<void> {
  if (isConfirmed) return;
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) {
    throw usageFailure(`this deletes ${what}. Pass --yes to confirm.`);
  }
  const { createInterface } = await import('node:readline/promises');
  const questions = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await questions.question(`Delete ${what}? [y/N] `, { signal });
    if (!/^\s*y(es)?\s*$/i.test(answer)) throw new CommandFailure('canceled; nothing was deleted.');
  } catch (error) {
    if ((error as Error).name !== 'AbortError') throw error;
    process.stderr.write('\n');
    throw new Interrupted('SIGINT');
  } finally {
    questions.close();
  }
}
