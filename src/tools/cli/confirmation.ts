import { CommandFailure, usageFailure } from '../output/command-failure.ts';
import { isInteractive, readAnswer } from './auth/prompt.ts';

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
  if (!isInteractive()) throw usageFailure(`this deletes ${what}. Pass --yes to confirm.`);
  const answer = await readAnswer(`Delete ${what}? [y/N] `, signal, process.stderr);
  if (!/^y(es)?$/i.test(answer)) throw new CommandFailure('canceled; nothing was deleted.');
}
