import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { CONNECTION_VARIABLES } from '../../../core/environment.ts';
import { CommandFailure } from '../../output/command-failure.ts';
import { EXIT_NOT_EXECUTABLE, EXIT_NOT_FOUND, EXIT_SIGNALED } from '../../output/exit-code.ts';
import { isReadable } from '../../settings/file-pattern.ts';

/** The terminal sends these to the program, too. */
const TERMINAL_SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGHUP', 'SIGQUIT'];

/** Records arrive within this time, so that the log keeps up with the output of the program. */
const FLUSH_INTERVAL_MS = '100';

/**
 * Runs a program with its own stdin, stdout and stderr, and forwards signals to it.
 *
 * @param variables replace all variables that could name another service.
 * @returns its exit code, or 128 plus the number of the signal that ended it.
 * @throws CommandFailure if it can't be started.
 */
export async function runProgram(
  [command = '', ...words]: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<number> {
  const { default: spawn } = await import('cross-spawn');
  const env: NodeJS.ProcessEnv = { LOGSCALE_FLUSH_INTERVAL_MS: FLUSH_INTERVAL_MS, ...process.env };
  for (const name of CONNECTION_VARIABLES) delete env[name];
  const child = spawn(command, words, { stdio: 'inherit', env: { ...env, ...variables } });
  const stopForwarding = forwardSignals(child);
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals];
    return code ?? EXIT_SIGNALED + constants.signals[signal];
  } catch (error) {
    throw startFailure(command, error as NodeJS.ErrnoException);
  } finally {
    stopForwarding();
  }
}

function forwardSignals(child: ChildProcess): () => void {
  const isTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
  const signals = [...TERMINAL_SIGNALS, 'SIGTERM'] as const;
  const forward = (signal: NodeJS.Signals): void => {
    if (!isTerminal || !TERMINAL_SIGNALS.includes(signal)) child.kill(signal);
  };
  for (const signal of signals) process.on(signal, forward);
  return () => {
    for (const signal of signals) process.off(signal, forward);
  };
}

function startFailure(command: string, { code, message }: NodeJS.ErrnoException): CommandFailure {
  if (code !== 'ENOENT')
    return new CommandFailure(`can't run "${command}" (${code ?? message}).`, EXIT_NOT_EXECUTABLE);
  const other = isReadable(command)
    ? `To show the file: logclient view ${command}`
    : 'Check its name and PATH, or run it with npx.';
  const advice = /\.[cm]?[jt]s$/.test(command)
    ? `To run a file, put its runtime before it, such as node ${command}.`
    : other;
  return new CommandFailure(`there is no program "${command}". ${advice}`, EXIT_NOT_FOUND);
}
