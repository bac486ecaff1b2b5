import { type Command, Option } from 'commander';
import { usageFailure } from '../../output/command-failure.ts';
import { addFlags, type Flag } from '../../output/flag.ts';
import { flagOf } from '../../output/flag-names.ts';
import { hostNames, numberOfDays, repeated, wholeNumber } from '../../output/flag-values.ts';
import { writeNote } from '../../output/standard-output.ts';
import { SECRET_SOURCES } from '../../settings/connection-flags.ts';
import { withExamples } from '../examples.ts';
import { DEFAULT_PORT } from '../serve/default-ports.ts';
import { LOG_LEVELS } from '../serve/request-log.ts';
import type { ServeFlags } from '../serve/run-server.ts';
import { ENV_FORMATS, type EnvFormat } from '../serve/variables.ts';

const DEFAULT_HOST = '127.0.0.1';

interface Flags extends ServeFlags {
  /** `true` for the default format. */
  readonly env?: EnvFormat | true;
}

export function addServeCommand(program: Command): void {
  const command = program
    .command('serve')
    .alias('dev')
    .description(
      'Run a local LogScale server for development, demos and tests. No account needed. With a program, run the program with the settings of a server that is already running, or else of a new one, and print its log.',
    )
    .argument('[program...]', 'Program to run, with its arguments. A server started for it stops with it.')
    .passThroughOptions();
  addFlags(command, SERVER_FLAGS);
  addNgsiemFlags(command);
  withExamples(
    command,
    ['logclient serve', `listen on port ${DEFAULT_PORT} and keep data in memory`],
    ['logclient serve --open', 'the same, and show the web page in a browser'],
    ['logclient dev node app.js', 'run a program and print its log'],
    ['logclient serve --env > .env', 'save the settings of the running server'],
    ['logclient serve --port 0 --data-dir logs', 'listen on a free port and keep data on disk'],
    ['logclient serve --ngsiem', 'emulate Next-Gen SIEM'],
  );
  command.action(async (words: readonly string[], { env, ...given }: Flags) => {
    // Other users can see the arguments of a command, so the environment can have the tokens.
    const { LOGCLIENT_USER_TOKEN: userToken, LOGCLIENT_INGEST_TOKEN: ingestToken } = process.env;
    const tokens = { ...(userToken && { userToken }), ...(ingestToken && { ingestToken }) };
    const flags = { ...(given.ngsiem === true ? {} : tokens), ...given, ...(await secretsOf(given)) };
    const { printVariables, serve, serveProgram } = await import('../serve/run-server.ts');
    if (flags.open === true && words.length > 0)
      throw usageFailure("--open can't be combined with a program.");
    if (env !== undefined) {
      if (words.length > 0) throw usageFailure("--env can't be combined with a program.");
      await printVariables(env === true ? 'dotenv' : env, flags.port);
    } else if (words.length === 0) {
      if (program.args[0] === 'dev') writeNote('logclient: no program is given, so only the server runs.');
      await serve(flags);
    } else {
      const isConfigured = Object.keys(flags).some(
        (name) => name !== 'tail' && command.getOptionValueSource(name) === 'cli',
      );
      await serveProgram(words, flags, isConfigured);
    }
  });
}

/** The secrets of the flags, some of which may be in files or on stdin. */
async function secretsOf(flags: Flags): Promise<Partial<ServeFlags>> {
  const { secretOf } = await import('../../settings/input-file.ts');
  const secrets: Partial<Record<(typeof SECRETS)[number], string>> = {};
  for (const name of SECRETS) {
    const value = flags[name];
    if (value !== undefined) secrets[name] = (await secretOf(flagOf(name), value)).value;
  }
  return secrets;
}

const SECRETS = ['userToken', 'ingestToken', 'clientSecret', 'hecToken'] as const;

const SERVER_FLAGS: readonly Flag[] = [
  [
    '-p, --port <number>',
    `Port to listen on; 0 picks a free one. Default: ${DEFAULT_PORT}, or the next free port.`,
    wholeNumber(0, 65_535),
  ],
  new Option('--host <address>', `Address to listen on. Default: ${DEFAULT_HOST}.`).default(DEFAULT_HOST),
  [
    '--allow-host <name>',
    'Host name under which clients and web pages can use the server, besides localhost and IP addresses. Repeatable.',
    hostNames,
  ],
  [
    '--repository <name>',
    'Repository to create. Repeatable; the first is the default. Default: the default of the last run with --data-dir, else sandbox.',
    repeated,
  ],
  [
    '--user-token <token>',
    `User token with all permissions. Default: LOGCLIENT_USER_TOKEN, the token saved in --data-dir, or a random one. ${SECRET_SOURCES}`,
  ],
  [
    '--ingest-token <token>',
    `Ingest token for the first repository. Default: LOGCLIENT_INGEST_TOKEN, the token saved in --data-dir, or a random one. ${SECRET_SOURCES}`,
  ],
  ['--open', 'Open the web page in a browser.'],
  [
    '--env [format]',
    `Print the variables of the running server and exit: ${ENV_FORMATS.join(', ')}. Default: dotenv.`,
    ENV_FORMATS,
  ],
  ['--no-tail', "Don't print the log while a program runs."],
  new Option(
    '--log-level <level>',
    'What to log to stderr: error (failures of the server), warn (also why requests and records were rejected, each cause once), info (also all requests except polls and health checks), debug (all requests). Default: warn.',
  )
    .choices(LOG_LEVELS)
    .default('warn'),
  ['--data-dir <path>', 'Directory that stores events, files, users and tokens. Default: memory only.'],
  [
    '--max-events <number>',
    'Maximum number of events per repository; the oldest are dropped first. Default: 250000.',
    wholeNumber(1),
  ],
  [
    '--max-bytes <number>',
    'Maximum size of events per repository, in bytes; the oldest are dropped first. Default: 268435456 (256 MiB).',
    wholeNumber(1),
  ],
  [
    '--retention-days <number>',
    'Drop events older than this. Default: the value saved in --data-dir, or no limit.',
    numberOfDays,
  ],
];

function addNgsiemFlags(command: Command): void {
  const credential = (flag: string, description: string, note = ''): Option =>
    new Option(
      flag,
      `${description}; implies --ngsiem. Default: the one saved in --data-dir, or a random one.${note}`,
    ).implies({ ngsiem: true });
  command
    .optionsGroup('Next-Gen SIEM:')
    .option(
      '--ngsiem',
      'Emulate Next-Gen SIEM instead of LogScale: OAuth2 client credentials, query jobs and a HEC connector.',
    )
    .addOption(credential('--client-id <id>', 'ID of the API client'))
    .addOption(credential('--client-secret <secret>', 'Secret of the API client', ` ${SECRET_SOURCES}`))
    .addOption(credential('--hec-token <key>', 'API key of the HEC connector', ` ${SECRET_SOURCES}`));
}
