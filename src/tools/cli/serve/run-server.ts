import {
  canDiscover,
  discoverySentence,
  type FoundServer,
  isDiscoveryOff,
  isForDevelopment,
  respondingLocalServer,
  saveLocalServer,
  workingDirectory,
} from '../../../core/discovery/local-servers.ts';
import { CommandFailure, usageFailure } from '../../output/command-failure.ts';
import { untilInterrupted } from '../../output/interruption.ts';
import { writeNote, writeOutput } from '../../output/standard-output.ts';
import { printBanner } from './banner.ts';
import { runProgram } from './child-program.ts';
import { startLiveLog } from './live-log.ts';
import { openPage } from './open-page.ts';
import { type ServerFlags, type StartedServer, startServer } from './start-server.ts';
import { type EnvFormat, variableLines } from './variables.ts';

export interface ServeFlags extends ServerFlags {
  /** Show the records while a program runs. */
  readonly tail: boolean;
  /** Open the web page in a browser. */
  readonly open?: boolean;
}

/** Runs a server until a signal. */
export async function serve({ tail: _, open = false, ...flags }: ServeFlags): Promise<void> {
  if (open && flags.ngsiem === true)
    throw usageFailure("--open can't be combined with --ngsiem, which has no web page.");
  const stopped = untilInterrupted();
  const server = await startServer(flags);
  const isDiscoverable = publish(server) && canDiscover(process.env);
  await writeOutput(printBanner(server, { ...flags, isDiscoverable }));
  if (open && server.pageUrl !== undefined) openPage(server.pageUrl);
  await stopped;
  process.stdout.write('Stopping.\n');
  await server.close();
}

/**
 * Runs a program with the settings of a server, and prints its records.
 *
 * @param isOwn always start a server, even if one runs.
 * @throws CommandFailure without a message and with the exit code of the program, unless it is 0.
 */
export async function serveProgram(
  program: readonly string[],
  { tail, open: _, ...flags }: ServeFlags,
  isOwn: boolean,
): Promise<void> {
  const server = await sharedOrStarted(flags, isOwn);
  const stopLog = tail ? await startLiveLog(server) : undefined;
  try {
    const exitCode = await runProgram(program, server.variables);
    if (exitCode !== 0) throw new CommandFailure('', exitCode);
  } finally {
    await stopLog?.();
    await server.close();
  }
}

/** Prints the variables of a running server, at the port if one is given. @throws CommandFailure if there is none */
export async function printVariables(format: EnvFormat, port: number | undefined): Promise<void> {
  const server = await respondingLocalServer(port);
  if (server === undefined) {
    const [where, flag] =
      port === undefined ? ['on this computer', ''] : [`on port ${port}`, ` --port ${port}`];
    throw new CommandFailure(`no local server is running ${where}. Start one with "logclient serve${flag}".`);
  }
  await writeOutput(`${variableLines(server.variables, format).join('\n')}\n`);
}

async function sharedOrStarted(
  flags: ServerFlags,
  isOwn: boolean,
): Promise<FoundServer & Pick<StartedServer, 'close'>> {
  const running = isOwn || !isForDevelopment(process.env) ? undefined : await respondingLocalServer();
  if (running !== undefined) {
    writeNote(discoverySentence(running));
    return { ...running, close: async () => {} };
  }
  const server = await startServer(flags);
  publish(server);
  writeNote(`logclient: ${server.kind} listening at ${server.url}.`);
  return server;
}

/** Lets other programs on this computer find the server. @returns false if they can't. */
function publish({ url, secret, variables }: StartedServer): boolean {
  if (isDiscoveryOff(process.env)) return false;
  try {
    const state = { pid: process.pid, startedAt: Date.now(), directory: workingDirectory() ?? '/' };
    process.once('exit', saveLocalServer({ ...state, secret, url, variables }));
    return true;
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    writeNote(
      `logclient: other programs can't find this server, because ${path} can't be written (${code}).`,
    );
    return false;
  }
}
