import { Command } from 'commander';
import { version } from '../../package.json' with { type: 'json' };
import { addAuthCommand } from './commands/auth.ts';
import { addCompletionCommand } from './commands/completion.ts';
import { filesCommand } from './commands/files.ts';
import { addIngestCommand } from './commands/ingest.ts';
import { organizationsCommand } from './commands/organizations.ts';
import { parsersCommand } from './commands/parsers.ts';
import { addQueryCommand } from './commands/query.ts';
import { repositoriesCommand } from './commands/repositories.ts';
import { resourceBelow } from './commands/resource.ts';
import { savedQueriesCommand } from './commands/saved-queries.ts';
import { addServeCommand } from './commands/serve.ts';
import { addStatusCommand } from './commands/status.ts';
import { addTailCommand } from './commands/tail.ts';
import { tokensCommand } from './commands/tokens.ts';
import { usersCommand } from './commands/users.ts';
import { addValidateCommand } from './commands/validate.ts';
import { viewsCommand } from './commands/views.ts';
import { withExamples } from './examples.ts';
import { addHelpCommand } from './help-command.ts';
import { addHelpTopics } from './help-topics.ts';

const RESOURCES = [
  repositoriesCommand,
  viewsCommand,
  filesCommand,
  savedQueriesCommand,
  parsersCommand,
  tokensCommand,
  usersCommand,
  organizationsCommand,
];

/**
 * All commands with their flags. A command loads its implementation (the client, the local server, the formats) when it
 * runs.
 *
 * @param words the command line. Resources that it does not name have no subcommands. Default: all have.
 */
export function createProgram(words?: readonly string[]): Command {
  const isNamed = (name: string): boolean => words === undefined || words.includes(name);
  const program = new Command('logclient')
    .description('Ship, query and follow logs; run the log service on this computer.')
    .version(version, '-V, --version', 'Print the version.')
    .helpOption('-h, --help', 'Print how it is used.')
    .exitOverride()
    // Errors are printed once, as one sentence.
    .configureOutput({ outputError: () => {} });
  withExamples(
    program,
    ['logclient serve', 'run the service on this computer, with no account'],
    ["logclient query 'level=error | groupBy(#service)' --since 2h", 'which services fail?'],
    ['logclient tail level=error', 'see errors as they happen'],
    ["cat app.log | logclient query --stdin 'level=error | count()'", 'ask a file, with no service at all'],
  );
  program.commandsGroup('Logs:');
  addQueryCommand(program);
  addTailCommand(program);
  addIngestCommand(program);
  addValidateCommand(program);
  program.commandsGroup('The service:');
  addServeCommand(program);
  addStatusCommand(program);
  addAuthCommand(program);
  program.commandsGroup('Maintenance:');
  for (const { name, description, needs, define } of RESOURCES) {
    const command = program.command(name).description(description);
    if (isNamed(name)) define(resourceBelow(command, needs));
  }
  program.commandsGroup('More:');
  addCompletionCommand(program);
  addHelpTopics(program);
  addHelpCommand(program);
  return program;
}
