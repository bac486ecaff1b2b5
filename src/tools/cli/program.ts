import { Command } from 'commander';
import { version } from '../../../package.json' with { type: 'json' };
import { addCommands, addGroup, type CommandEntry } from './command.ts';
import { LANGUAGE_SERVER, MCP, SKILL } from './commands/agents.ts';
import { AUTH } from './commands/auth.ts';
import { addCompletionCommand } from './commands/completion.ts';
import { EVENTS } from './commands/events.ts';
import { EXPLAIN } from './commands/explain.ts';
import { FILES } from './commands/files.ts';
import { INGEST } from './commands/ingest.ts';
import { COST, DIFF, SCAN } from './commands/log-reports.ts';
import { PLAY, UI, VIEW } from './commands/pages.ts';
import { PARSERS } from './commands/parsers.ts';
import { QUERY } from './commands/query.ts';
import { FORMAT, LINT, QUERIES } from './commands/query-checks.ts';
import { REPOSITORIES } from './commands/repositories.ts';
import { operationsOf, type Resource } from './commands/resource.ts';
import { SAVED_QUERIES } from './commands/saved-queries.ts';
import { addServeCommand } from './commands/serve.ts';
import { STATUS } from './commands/status.ts';
import { TAIL } from './commands/tail.ts';
import { TOKENS } from './commands/tokens.ts';
import { USERS } from './commands/users.ts';
import { VALIDATE } from './commands/validate.ts';
import { VIEWS } from './commands/views.ts';
import { withExamples } from './examples.ts';
import { addHelpCommand } from './help-command.ts';
import { helpFormat, helpWidths } from './help-format.ts';
import { addHelpTopics } from './help-topics.ts';

const LOGS: readonly CommandEntry[] = [
  QUERY,
  TAIL,
  INGEST,
  SCAN,
  COST,
  DIFF,
  VALIDATE,
  EXPLAIN,
  LINT,
  FORMAT,
  LANGUAGE_SERVER,
  MCP,
  SKILL,
  QUERIES,
];
const RESOURCES: Resource[] = [REPOSITORIES, EVENTS, VIEWS, FILES, SAVED_QUERIES, PARSERS, TOKENS, USERS];

/**
 * All commands with their flags. A command loads its implementation (the client, the local server, the formats) when it
 * runs.
 *
 * @param words the command line. Only commands named in it get their flags and subcommands. Default: all commands.
 */
export function createProgram(words?: readonly string[]): Command {
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
    ["logclient query app.log 'level=error | count()'", 'query a file without a server'],
  );
  addCommands(program.commandsGroup('Logs:'), LOGS, words);
  addCommands(program.commandsGroup('Web page:'), [UI, VIEW, PLAY], words);
  addCommands(program.commandsGroup('Server:'), [addServeCommand, STATUS, AUTH], words);
  program.commandsGroup('Maintenance:');
  for (const resource of RESOURCES) {
    const group = addGroup(program, resource);
    if (words?.includes(resource.name) !== false) addCommands(group, operationsOf(resource), words);
  }
  addCommands(program.commandsGroup('More:'), [addCompletionCommand, addHelpTopics, addHelpCommand], words);
  return program;
}
