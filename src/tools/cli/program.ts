import { Command } from 'commander';
import { version } from '../../../package.json' with { type: 'json' };
import { addAuthCommand } from './commands/auth.ts';
import { addCompletionCommand } from './commands/completion.ts';
import { addCostCommand } from './commands/cost.ts';
import { addDiffCommand } from './commands/diff.ts';
import { addExplainCommand } from './commands/explain.ts';
import { FILES } from './commands/files.ts';
import { addIngestCommand } from './commands/ingest.ts';
import { addLanguageServerCommand } from './commands/language-server.ts';
import { addFormatCommand, addLintCommand } from './commands/lint.ts';
import { addMcpCommand } from './commands/mcp.ts';
import { PARSERS } from './commands/parsers.ts';
import { addPlayCommand } from './commands/play.ts';
import { addQueriesCommand } from './commands/queries.ts';
import { addQueryCommand } from './commands/query.ts';
import { REPOSITORIES } from './commands/repositories.ts';
import { addOperations, type Resource } from './commands/resource.ts';
import { SAVED_QUERIES } from './commands/saved-queries.ts';
import { addScanCommand } from './commands/scan.ts';
import { addServeCommand } from './commands/serve.ts';
import { addSkillCommand } from './commands/skill.ts';
import { addStatusCommand } from './commands/status.ts';
import { addTailCommand } from './commands/tail.ts';
import { TOKENS } from './commands/tokens.ts';
import { addUiCommand } from './commands/ui.ts';
import { USERS } from './commands/users.ts';
import { addValidateCommand } from './commands/validate.ts';
import { addViewCommand } from './commands/view.ts';
import { VIEWS } from './commands/views.ts';
import { withExamples } from './examples.ts';
import { addHelpCommand } from './help-command.ts';
import { helpFormat, helpWidths } from './help-format.ts';
import { addHelpTopics } from './help-topics.ts';

const RESOURCES: readonly Resource[] = [REPOSITORIES, VIEWS, FILES, SAVED_QUERIES, PARSERS, TOKENS, USERS];

/**
 * All commands with their flags. A command loads its implementation (the client, the local server, the formats) when it
 * runs.
 *
 * @param words the command line. Only resources named in it get their subcommands. Default: all resources.
 */
export function createProgram(words?: readonly string[]): Command {
  const isNamed = (name: string): boolean => words === undefined || words.includes(name);
  const program = new Command('logclient')
    .description('Query, tail and ship LogScale logs, or run a local server.')
    .version(version, '-V, --version', 'Show the version.')
    .helpOption('-h, --help', 'Show help.')
    // The words after `logclient serve -- npm run dev` belong to npm.
    .enablePositionalOptions()
    .exitOverride()
    // runCli suggests flags and commands.
    .showSuggestionAfterError(false)
    // runCli reports errors, in one sentence each.
    .configureOutput({ ...helpWidths, outputError: () => {} })
    .configureHelp(helpFormat);
  withExamples(
    program,
    ['logclient serve', 'start a local server (no account needed)'],
    ["logclient query 'level=error | groupBy(#service)' --since 2h", 'count errors by service'],
    ['logclient tail level=error', 'show errors as they arrive'],
    ["logclient query --stdin 'level=error | count()' < app.log", 'query a file without a server'],
  );
  addLogCommands(program);
  program.commandsGroup('Web page:');
  addUiCommand(program);
  addViewCommand(program);
  addPlayCommand(program);
  program.commandsGroup('Server:');
  addServeCommand(program);
  addStatusCommand(program);
  addAuthCommand(program);
  program.commandsGroup('Maintenance:');
  for (const resource of RESOURCES) {
    const command = program
      .command(resource.name)
      .description(resource.about)
      .helpCommand('help [command]', 'Show help for a command.');
    if (isNamed(resource.name)) addOperations(command, resource);
  }
  program.commandsGroup('More:');
  addCompletionCommand(program);
  addHelpTopics(program);
  addHelpCommand(program);
  return program;
}

function addLogCommands(program: Command): void {
  program.commandsGroup('Logs:');
  addQueryCommand(program);
  addTailCommand(program);
  addIngestCommand(program);
  addScanCommand(program);
  addCostCommand(program);
  addDiffCommand(program);
  addValidateCommand(program);
  addExplainCommand(program);
  addLintCommand(program);
  addFormatCommand(program);
  addLanguageServerCommand(program);
  addMcpCommand(program);
  addSkillCommand(program);
  addQueriesCommand(program);
}
