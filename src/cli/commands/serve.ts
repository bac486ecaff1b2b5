import { type Command, Option } from 'commander';
import { withExamples } from '../examples.ts';
import { numberOfDays, wholeNumber } from '../flag-values.ts';
import { LOG_LEVELS, type LogLevel, serveLog } from '../serve-log.ts';

/** The flags of `logclient serve`. */
interface ServeFlags {
  readonly port: number;
  readonly host: string;
  readonly repository: readonly string[];
  readonly userToken?: string;
  readonly ingestToken?: string;
  readonly dataDir?: string;
  readonly maxEvents?: number;
  readonly maxBytes?: number;
  readonly retentionDays?: number;
  readonly logLevel: LogLevel;
}

const DEFAULT_REPOSITORIES: readonly string[] = ['sandbox'];

/** `logclient serve`: the local server, until someone stops it. */
export function addServeCommand(program: Command): void {
  const command = program
    .command('serve')
    .description('Run the log service on this computer, with no account: for development, demos and tests.')
    .option(
      '-p, --port <number>',
      'The port to listen on; 0 takes any free one.',
      wholeNumber(0, 65_535),
      3000,
    )
    .option('--host <address>', 'The address to listen on.', '127.0.0.1')
    .option(
      '--repository <name>',
      'A repository that is there from the start; may be given more than once, the first is the default one.',
      (name: string, names: readonly string[]) =>
        names === DEFAULT_REPOSITORIES ? [name] : [...names, name],
      DEFAULT_REPOSITORIES,
    )
    .option(
      '--user-token <token>',
      'The token that may do everything. Default: kept in --data-dir, or random.',
    )
    .option(
      '--ingest-token <token>',
      'A token that may only ingest, into the first repository. Default: kept in --data-dir, or random.',
    )
    .option('--data-dir <folder>', 'Keep events, files, users and tokens here. Default: in memory only.')
    .option(
      '--max-events <number>',
      'How many events a repository keeps before the oldest go. Default: 250000.',
      wholeNumber(1),
    )
    .option(
      '--max-bytes <number>',
      'How many bytes of events a repository keeps before the oldest go. Default: 268435456 (256 MiB).',
      wholeNumber(1),
    )
    .option(
      '--retention-days <number>',
      'How old an event of these repositories may become. Default: what was set before, else no limit.',
      numberOfDays,
    )
    .addOption(
      new Option(
        '--log-level <level>',
        'Requests to tell of on stderr: error (5xx), warn (and 4xx), info (all but polls and probes), debug (all).',
      )
        .choices(LOG_LEVELS)
        .default('warn'),
    )
    .allowExcessArguments(false);
  withExamples(
    command,
    ['logclient serve', 'on port 3000, everything in memory'],
    ['logclient serve --port 0 --data-dir logs', 'on any free port, and keep what comes'],
  );
  command.action(serve);
}

async function serve({ repository, logLevel, ...flags }: ServeFlags): Promise<void> {
  // Loaded here and not above: `logclient --help` need not load a server.
  const [{ startLocalServer }, { printBanner }] = await Promise.all([
    import('../../local-server/index.ts'),
    import('../serve-banner.ts'),
  ]);
  const stopped = stopSignal();
  const [first = 'sandbox', ...repositories] = repository;
  let server: Awaited<ReturnType<typeof startLocalServer>>;
  try {
    const log = serveLog(logLevel, (text) => process.stderr.write(text));
    server = await startLocalServer({ ...flags, ...log, repository: first, repositories });
  } catch (error) {
    throw new Error(startFailure(error));
  }
  process.stdout.write(printBanner(server, flags));
  await stopped;
  process.stdout.write('Stopping.\n');
  await server.close();
}

/** Resolves with the first signal to stop. A second one ends the process at once: the first may have got stuck. */
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

/** What the server says of its options, with the names that they have here. */
function startFailure(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message
    .replace(/^startLocalServer: /, '')
    .replaceAll('"repositories"', '"repository"')
    .replace(
      /(?:the )?(?:option )?"(port|host|repository|userToken|ingestToken|dataDir|max(?:Events|Bytes)|retentionDays)"/g,
      (_, name: string) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    );
}
