import { type ChildProcess, spawn as spawnProcess } from 'node:child_process';
import { constants } from 'node:os';
import { CONNECTION_VARIABLES } from '../../../core/environment.ts';
import { CommandFailure } from '../../output/command-failure.ts';
import { EXIT_SIGNALED } from '../../output/exit-code.ts';

const SIGNALS = ['SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGTERM'] as const;

/** Shell conventions. */
const EXIT_NOT_EXECUTABLE = 126;
const EXIT_NOT_FOUND = 127;

/** Records arrive within this time, so that the log keeps up with the output of the program. */
const FLUSH_INTERVAL_MS = '100';

/**
 * Runs a program with its own stdin, stdout and stderr. It gets each signal once.
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
    return await exitCodeOf(child);
  } catch (error) {
    throw startFailure(command, error as NodeJS.ErrnoException);
  } finally {
    stopForwarding();
  }
}

function exitCodeOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? EXIT_SIGNALED + constants.signals[signal!]));
  });
}

/** Forwards signals, except those that the whole process group gets, such as Ctrl-C on a terminal. */
function forwardSignals(child: ChildProcess): () => void {
  let witness = startWitness();
  const forward = async (signal: NodeJS.Signals): Promise<void> => {
    const asked = witness;
    if (!(await isHit(asked, signal))) child.kill(signal);
    else if (asked === witness) witness = startWitness();
  };
  for (const signal of SIGNALS) process.on(signal, forward);
  return () => {
    for (const signal of SIGNALS) process.off(signal, forward);
    witness.kill('SIGKILL');
  };
}

/** A process of the same group, which repeats its input until a signal ends it. */
function startWitness(): ChildProcess {
  const witness = spawnProcess('cat', { stdio: ['pipe', 'pipe', 'ignore'] });
  for (const emitter of [witness, witness.stdin]) emitter.on('error', () => {});
  return witness;
}

/** Whether a signal to this process has also ended the witness. */
async function isHit(witness: ChildProcess, signal: NodeJS.Signals): Promise<boolean> {
  // Windows has no `cat`. A terminal sends its signals to the program, too.
  if (witness.pid === undefined)
    return signal !== 'SIGTERM' && [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
  return new Promise((resolve) => {
    witness.once('close', () => resolve(true));
    witness.stdout!.once('data', () => resolve(false));
    witness.stdin!.write('\n');
  });
}

function startFailure(command: string, { code, message }: NodeJS.ErrnoException): CommandFailure {
  if (code === 'ENOENT') {
    return new CommandFailure(
      `there is no program "${command}". Check its name and PATH, or run it with npx.`,
      EXIT_NOT_FOUND,
    );
  }
  return new CommandFailure(`can't run "${command}" (${code ?? message}).`, EXIT_NOT_EXECUTABLE);
}
