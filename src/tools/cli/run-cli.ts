import { CommanderError } from 'commander';
import { CommandFailure } from '../output/command-failure.ts';
import { EXIT_FAILURE, EXIT_OK, EXIT_USAGE } from '../output/exit-code.ts';
import { forgetInterruption, Interrupted } from '../output/interruption.ts';
import { closePager, OutputClosed, outputClosedSignal, outputWritten } from '../output/standard-output.ts';
import { visibleLines } from '../output/terminal-text.ts';
import { createProgram } from './program.ts';
import { commandOf, type InvokedCommand, usageMessage } from './usage-message.ts';

/** Runs the command line and resolves with the exit code; never rejects. @param words the arguments after `logclient`. */
export async function runCli(words: readonly string[]): Promise<number> {
  const program = createProgram(words);
  const command = commandOf(program, words);
  // From now on, a closed pipe ends the command without an error.
  outputClosedSignal();
  const exitCode = await exitCodeFrom(command, async () => {
    try {
      if (words.length === 0) program.outputHelp();
      else if (words[0] === '__complete')
        await (await import('./completion/candidates.ts')).writeCandidates(program, words.slice(1));
      else await program.parseAsync(words[0] === 'version' ? ['--version'] : words, { from: 'user' });
    } finally {
      await closePager();
      forgetInterruption();
    }
  });
  return exitCode === EXIT_OK ? exitCodeFrom(command, outputWritten) : exitCode;
}

async function exitCodeFrom(command: InvokedCommand, action: () => Promise<void>): Promise<number> {
  try {
    await action();
    return EXIT_OK;
  } catch (error) {
    return exitCodeOf(error, command);
  }
}

async function exitCodeOf(error: unknown, command: InvokedCommand): Promise<number> {
  if (error instanceof CommanderError) {
    // Help and version end here too, with exit code 0.
    return error.exitCode === 0 ? EXIT_OK : fail(await usageMessage(error, command), EXIT_USAGE);
  }
  if (error instanceof OutputClosed) return EXIT_OK;
  if (error instanceof Interrupted) return error.exitCode;
  if (error instanceof CommandFailure) return fail(error.message, error.exitCode);
  return fail(error instanceof Error ? error.message : String(error), EXIT_FAILURE);
}

function fail(message: string, exitCode: number): number {
  if (message !== '') process.stderr.write(`logclient: ${visibleLines(message)}\n`);
  return exitCode;
}
