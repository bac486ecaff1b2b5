import { Command, CommanderError } from 'commander';
import { version } from '../../package.json' with { type: 'json' };
import { addServeCommand } from './serve.ts';
import { usageMessage } from './usage-message.ts';

const EXIT_OK = 0;
const EXIT_FAILURE = 1;
/** The command line itself is wrong; nothing was done. */
const EXIT_USAGE = 2;

/**
 * Runs the command line and resolves with the exit code; never rejects.
 *
 * @param words what stands after `logclient`.
 */
export async function runCli(words: readonly string[]): Promise<number> {
  const program = createProgram();
  try {
    if (words.length === 0) program.outputHelp();
    else await program.parseAsync(words, { from: 'user' });
    return EXIT_OK;
  } catch (error) {
    if (!(error instanceof CommanderError)) return fail((error as Error).message, EXIT_FAILURE);
    // Help and version come here too, with the exit code 0.
    return error.exitCode === 0 ? EXIT_OK : fail(usageMessage(error), EXIT_USAGE);
  }
}

function createProgram(): Command {
  const program = new Command('logclient')
    .description('Ship, query and follow logs; run the log service on this computer.')
    .version(version, '-V, --version', 'Print the version.')
    .helpOption('-h, --help', 'Print what there is.')
    .helpCommand('help [command]', 'Print how to use a command.')
    .exitOverride()
    // Errors are printed once, by `fail`, as one sentence.
    .configureOutput({ outputError: () => {} });
  addServeCommand(program);
  return program;
}

function fail(message: string, exitCode: number): number {
  process.stderr.write(`logclient: ${message}\n`);
  return exitCode;
}
