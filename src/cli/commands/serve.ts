import { type Command, Option } from 'commander';
import { withExamples } from '../examples.ts';
import { numberOfDays, wholeNumber } from '../flag-values.ts';
import { LOG_LEVELS, type LogLevel, type ServeLog, serveLog } from '../serve-log.ts';
import { DEFAULT_PORT, startOnFreePort } from '../serve-port.ts';

/** The flags of `logclient serve`. */
interface ServeFlags {
  readonly port?: number;
  readonly host: string;
  readonly repository?: readonly string[];
  readonly ngsiem?: boolean;
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly hecToken?: string;
  readonly userToken?: string;
  readonly ingestToken?: string;
  readonly dataDir?: string;
  readonly maxEvents?: number;
  readonly maxBytes?: number;
  readonly retentionDays?: number;
  readonly logLevel: LogLevel;
}

const DEFAULT_HOST = '127.0.0.1';

/** `logclient serve`: runs the local server until a signal. */
export function addServeCommand(program: Command): void {
  const command = program
    .command('serve')
    .description('Run a local LogScale server for development, demos and tests. No account needed.')
    .summary('Run a local LogScale server.')
    .option(
      '-p, --port <number>',
      `Port to listen on; 0 picks a free one. Default: ${DEFAULT_PORT}, or the next free port.`,
      wholeNumber(0, 65_535),
    )
    .option('--host <address>', `Address to listen on. Default: ${DEFAULT_HOST}.`, DEFAULT_HOST)
    .option(
      '--repository <name>',
      'Repository to create. Repeatable; the first is the default. Default: sandbox.',
      (name: string, names: readonly string[] = []) => [...names, name],
    )
    .option(
      '--user-token <token>',
      'User token with all permissions. Default: the token saved in --data-dir, or a random one.',
    )
    .option(
      '--ingest-token <token>',
      'Ingest token for the first repository. Default: the token saved in --data-dir, or a random one.',
    );
  addDataFlags(command)
    .addOption(
      new Option(
        '--log-level <level>',
        'Requests to log to stderr: error (5xx), warn (4xx and 5xx), info (all except polls and health checks), debug (all). Default: warn.',
      )
        .choices(LOG_LEVELS)
        .default('warn'),
    )
    .allowExcessArguments(false);
  addNgsiemFlags(command);
  withExamples(
    command,
    ['logclient serve', `listen on port ${DEFAULT_PORT} and keep data in memory`],
    ['logclient serve --port 0 --data-dir logs', 'listen on a free port and keep data on disk'],
    ['logclient serve --ngsiem', 'emulate Next-Gen SIEM'],
  );
  command.action(serve);
}

function addDataFlags(command: Command): Command {
  return command
    .option(
      '--data-dir <path>',
      'Directory that stores events, files, users and tokens. Default: memory only.',
    )
    .option(
      '--max-events <number>',
      'Maximum number of events per repository; the oldest are dropped first. Default: 250000.',
      wholeNumber(1),
    )
    .option(
      '--max-bytes <number>',
      'Maximum size of events per repository, in bytes; the oldest are dropped first. Default: 268435456 (256 MiB).',
      wholeNumber(1),
    )
    .option(
      '--retention-days <number>',
      'Drop events older than this. Default: the value saved in --data-dir, or no limit.',
      numberOfDays,
    );
}

function addNgsiemFlags(command: Command): void {
  const credential = (flag: string, description: string): Option =>
    new Option(
      flag,
      `${description}; implies --ngsiem. Default: the one saved in --data-dir, or a random one.`,
    ).implies({ ngsiem: true });
  command
    .optionsGroup('Next-Gen SIEM:')
    .option(
      '--ngsiem',
      'Emulate Next-Gen SIEM instead of LogScale: OAuth2 client credentials, query jobs and a HEC connector.',
    )
    .addOption(credential('--client-id <id>', 'ID of the API client'))
    .addOption(credential('--client-secret <secret>', 'Secret of the API client'))
    .addOption(credential('--hec-token <key>', 'API key of the HEC connector'));
}

async function serve(flags: ServeFlags): Promise<void> {
  const stopped = stopSignal();
  const emulate = flags.ngsiem === true ? startNgsiem : startLogscale;
  let server: Started;
  try {
    const start = (port: number) => emulate(flags, port);
    server = await (flags.port === undefined ? startOnFreePort(start) : start(flags.port));
  } catch (error) {
    throw new Error(startFailure(error));
  }
  process.stdout.write(server.banner);
  await stopped;
  process.stdout.write('Stopping.\n');
  await server.close();
}

interface Started {
  readonly banner: string;
  readonly close: () => Promise<void>;
}

async function startLogscale(
  { repository = ['sandbox'], logLevel, ...flags }: ServeFlags,
  port: number,
): Promise<Started> {
  // Loaded on demand, so that `logclient --help` doesn't load the server.
  const [{ startLocalServer }, { printBanner }] = await Promise.all([
    import('../../local-server/index.ts'),
    import('../serve-banner.ts'),
  ]);
  const [first = 'sandbox', ...repositories] = repository;
  const options = { ...flags, ngsiem: false as const, port, repository: first, repositories };
  const server = await startLocalServer({ ...options, ...log(logLevel) });
  return { banner: printBanner(server, flags), close: () => server.close() };
}

async function startNgsiem({ logLevel, ...flags }: ServeFlags, port: number): Promise<Started> {
  const [{ startLocalServer }, { printNgsiemBanner }] = await Promise.all([
    import('../../local-server/index.ts'),
    import('../serve-banner-ngsiem.ts'),
  ]);
  const { clientId, clientSecret, hecToken, ...options } = flags;
  const ngsiem = { clientId, clientSecret, hecToken };
  const server = await startLocalServer({ ...options, port, ngsiem, ...log(logLevel) });
  return { banner: printNgsiemBanner(server, flags), close: () => server.close() };
}

function log(level: LogLevel): ServeLog {
  return serveLog(level, (text) => process.stderr.write(text));
}

/** Resolves on the first signal to stop. A second one exits at once, in case the shutdown hangs. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(1));
        resolve();
      });
    }
  });
}

/** The error of the server, with option names replaced by flags. */
function startFailure(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message
    .replace(/^startLocalServer: /, '')
    .replaceAll('"repositories"', '"repository"')
    .replaceAll('"ngsiem.', '"')
    .replace(
      /(?:the )?(?:option )?"(port|host|repository|userToken|ingestToken|ngsiem|clientId|clientSecret|hecToken|dataDir|max(?:Events|Bytes)|retentionDays)"/g,
      (_, name: string) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    );
}
