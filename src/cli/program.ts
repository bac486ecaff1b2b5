import { Command } from 'commander';
import { version } from '../../package.json' with { type: 'json' };
import { addAuthCommand } from './commands/auth.ts';
import { addCompletionCommand } from './commands/completion.ts';
import { addFilesCommand } from './commands/files.ts';
import { addIngestCommand } from './commands/ingest.ts';
import { addOrganizationsCommand } from './commands/organizations.ts';
import { addParsersCommand } from './commands/parsers.ts';
import { addQueryCommand } from './commands/query.ts';
import { addRepositoriesCommand } from './commands/repositories.ts';
import { addSavedQueriesCommand } from './commands/saved-queries.ts';
import { addServeCommand } from './commands/serve.ts';
import { addStatusCommand } from './commands/status.ts';
import { addTailCommand } from './commands/tail.ts';
import { addTokensCommand } from './commands/tokens.ts';
import { addUsersCommand } from './commands/users.ts';
import { addValidateCommand } from './commands/validate.ts';
import { addViewsCommand } from './commands/views.ts';
import { withExamples } from './examples.ts';
import { addHelpCommand } from './help-command.ts';
import { addHelpTopics } from './help-topics.ts';

/**
 * All commands with their flags. What a command runs on (the client, the local server, the formats) is loaded when it
 * runs: this much has to be quick.
 */
export function createProgram(): Command {
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
  addRepositoriesCommand(program);
  addViewsCommand(program);
  addFilesCommand(program);
  addSavedQueriesCommand(program);
  addParsersCommand(program);
  addTokensCommand(program);
  addUsersCommand(program);
  addOrganizationsCommand(program);
  program.commandsGroup('More:');
  addCompletionCommand(program);
  addHelpTopics(program);
  addHelpCommand(program);
  return program;
}
