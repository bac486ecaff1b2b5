import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { homedir, uptime } from 'node:os';
import { isAbsolute, join, relative } from 'node:path';
import {
  DESTINATION_SETTINGS,
  destinationVariable,
  type Environment,
  fromEnvironment,
  isSet,
  nameHint,
} from '../environment.ts';
import { makeFolders } from '../folders.ts';
import { isJsonObject } from '../json-object.ts';
import { writeErrorLine } from '../stderr-line.ts';
import { isOff } from '../switches.ts';
import { tryOr } from '../try-or.ts';
import { requireProof } from './server-proof.ts';

/** A local server that `logclient serve` runs on this computer. */
export interface FoundServer {
  /** Key with which the server proves its identity. New at each start, and never sent. */
  readonly secret: string;
  readonly url: string;
  /** Environment variables that connect a program to the server. They include its tokens. */
  readonly variables: Readonly<Record<string, string>>;
}

/** A local server, as its state file describes it. */
export interface LocalServerState extends FoundServer {
  /** Process ID of the server. */
  readonly pid: number;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** Working directory of the server. */
  readonly directory: string;
}

/** Options that set the destination or the credentials. */
const SETTINGS = [...DESTINATION_SETTINGS, 'format', 'auth', 'agent', 'fetch', 'proxy', 'ca', 'headers'];

/** What to do if a discovered server has stopped. */
export const RESTART_ADVICE =
  'Start "logclient serve" again. If it listens on another port, restart this program.';

/** A local server that does not respond within this time has stopped. */
const RESPONSE_TIMEOUT_MS = 2_000;

/** Secrets of the servers of this process. */
const savedHere = new Set<string>();

/** Saves the state of a server of this process. Only the user can read the file. @returns a function that removes it. */
export function saveLocalServer(state: LocalServerState): () => void {
  const folder = stateFolder(process.env);
  makeFolders(folder, 0o700);
  for (const file of stateFiles(folder)) {
    const stale = readState(file);
    if (stale !== undefined && !isRunning(stale, file)) rmSync(file, { force: true });
  }
  savedHere.add(state.secret);
  const file = join(folder, `${randomUUID()}.json`);
  // Readers never see an incomplete file.
  const draft = `${file}.tmp`;
  writeFileSync(draft, JSON.stringify(state), { mode: 0o600, flag: 'wx' });
  renameSync(draft, file);
  return () => rmSync(file, { force: true });
}

/** Options whose caller has chosen a local server. */
const chosenServers = new WeakMap<object, FoundServer>();

/** Makes {@link discoverLocalServer} return this server for these options, without reporting it. */
export function choosingServer<Options extends object>(
  options: Options,
  server: FoundServer | undefined,
): Options {
  if (server !== undefined) chosenServers.set(options, server);
  return options;
}

/** What {@link reportServer} writes about discovered servers. */
const reports = new WeakMap<FoundServer, string>();

/**
 * The local server for a client or a transport, if neither its options nor the environment have settings.
 *
 * @param kind a client can choose a repository; an ingest token belongs to one.
 */
export function discoverLocalServer(options: object, kind: 'client' | 'ingest'): FoundServer | undefined {
  const chosen = chosenServers.get(options);
  if (chosen !== undefined) return chosen;
  const values = options as Readonly<Record<string, unknown>>;
  const hasOwn = [...SETTINGS, kind === 'ingest' ? 'repository' : ''].some(
    (name) => values[name] !== undefined,
  );
  const server = hasOwn || !canDiscover(process.env) ? undefined : localServers()[0];
  if (server !== undefined) reports.set(server, reportOf(server, kind));
  return server;
}

let isReported = false;

/** Reports the first discovered server that is used on stderr. */
export function reportServer(server: FoundServer | undefined): void {
  const report = server && reports.get(server);
  if (isReported || report === undefined) return;
  isReported = true;
  writeErrorLine(report);
}

function reportOf(server: LocalServerState, kind: 'client' | 'ingest'): string {
  const [own, wanted] = [server.variables.LOGSCALE_REPOSITORY, fromEnvironment('repository')];
  const isOther = kind === 'ingest' && own !== undefined && wanted !== undefined && wanted !== own;
  const note = isOther
    ? ` Its ingest token stores records in ${own}, not in ${wanted} (LOGSCALE_REPOSITORY).`
    : '';
  return `${discoverySentence(server)}${note} ${nameHint()}`.trimEnd();
}

/** Whether programs with this environment look for a local server: on a developer's machine, without a destination. */
export function canDiscover(environment: Environment): boolean {
  return obstacleIn(environment) === undefined;
}

/** What makes programs with this environment use no local server, such as `CI is set`. */
function obstacleIn(environment: Environment): string | undefined {
  const variable = destinationVariable(environment);
  if (isForDevelopment(environment)) return variable && `${variable} is set`;
  if (isDiscoveryOff(environment)) return 'LOGCLIENT_DISCOVERY is set';
  return isSet(environment, 'CI') ? 'CI is set' : 'NODE_ENV is production';
}

/** For errors about settings: the local server that runs, and why it is not used. Empty if neither is known. */
export function unusedServerSentence(obstacle = obstacleIn(process.env)): string {
  const server = obstacle === undefined ? undefined : localServers()[0];
  if (server === undefined) return '';
  if (obstacle?.endsWith('_URL is set') && fromEnvironment('baseUrl') === server.url)
    return `The local server at ${server.url} is used with its token if ${obstacle.replace(' is set', ' is not set')}.`;
  return `The local server at ${server.url} is not used because ${obstacle}.`;
}

/** For errors about settings: how to use a local server, or why the running one is not used. */
export function howToUseServer(obstacle?: string): string {
  return unusedServerSentence(obstacle) || 'To use a local server, start one with "npx logclient serve".';
}

/** Whether programs with this environment may share a local server. */
export function isForDevelopment(environment: Environment): boolean {
  return !isDiscoveryOff(environment) && !isSet(environment, 'CI') && environment.NODE_ENV !== 'production';
}

/** Whether discovery of local servers is turned off. */
export function isDiscoveryOff({ LOGCLIENT_DISCOVERY }: Environment): boolean {
  return isOff(LOGCLIENT_DISCOVERY);
}

/** The sentence to write to stderr when a local server is used. */
export function discoverySentence({ url, directory }: LocalServerState): string {
  const cwd = workingDirectory();
  const isNear = cwd !== undefined && contains(directory, cwd);
  return `logclient: using the local server at ${url}${isNear ? '' : `, which was started in ${directory}`}.`;
}

/**
 * The running local servers, best first: those whose directory contains the working directory, innermost first, then
 * the newest.
 */
export function localServers(): LocalServerState[] {
  const cwd = workingDirectory();
  const depth = ({ directory }: LocalServerState): number =>
    cwd !== undefined && contains(directory, cwd) ? directory.length : -1;
  return stateFiles(stateFolder(process.env))
    .flatMap((file) => {
      const state = readState(file);
      return state !== undefined && isRunning(state, file) ? [state] : [];
    })
    .sort((one, other) => depth(other) - depth(one) || other.startedAt - one.startedAt);
}

/** `undefined` if the directory has been deleted. */
export function workingDirectory(): string | undefined {
  return tryOr(undefined, () => process.cwd());
}

/** The first local server that proves its identity, of those at the port if one is given. */
export async function respondingLocalServer(port?: number): Promise<LocalServerState | undefined> {
  const isWanted = ({ url }: FoundServer) => port === undefined || new URL(url).port === String(port);
  for (const server of localServers().filter(isWanted)) {
    if (await isListening(server)) return server;
  }
  return undefined;
}

/** Whether a server listens at its address, and not another program. */
export async function isListening(server: FoundServer): Promise<boolean> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port || 80), hostname.replace(/^\[|\]$/g, ''));
  const proof = requireProof(socket, server, RESPONSE_TIMEOUT_MS).finally(() => socket.destroy());
  return proof.then(
    () => true,
    () => false,
  );
}

/** A server, then the others that state files name at its address, which may have replaced it. */
export function* serversAt(server: FoundServer): Generator<FoundServer, void, undefined> {
  yield server;
  yield* localServers().filter(({ url, secret }) => url === server.url && secret !== server.secret);
}

function stateFolder({ XDG_STATE_HOME, LOCALAPPDATA }: Environment): string {
  const windows = process.platform === 'win32' ? LOCALAPPDATA : undefined;
  return join(XDG_STATE_HOME || windows || join(homedir(), '.local', 'state'), 'logclient', 'servers');
}

function stateFiles(folder: string): string[] {
  const names = tryOr([], () => readdirSync(folder));
  return names.filter((name) => name.endsWith('.json')).map((name) => join(folder, name));
}

/** Ignores files that are invalid, that another user wrote, or that others can read. */
function readState(file: string): LocalServerState | undefined {
  return tryOr(undefined, () => {
    const { uid, mode } = statSync(file);
    if (process.getuid !== undefined && (uid !== process.getuid() || (mode & 0o077) !== 0)) return undefined;
    const state = JSON.parse(readFileSync(file, 'utf8')) as Partial<LocalServerState>;
    const isComplete = [state.secret, state.directory, state.url].every((text) => typeof text === 'string');
    return isComplete && Number.isInteger(state.pid) && isJsonObject(state.variables)
      ? (state as LocalServerState)
      : undefined;
  });
}

/** False also if the process ID was reused by this process, or before a restart of the computer. */
function isRunning({ pid, secret }: LocalServerState, file: string): boolean {
  if (pid === process.pid && !savedHere.has(secret)) return false;
  return tryOr(false, () => statSync(file).mtimeMs >= Date.now() - uptime() * 1_000 && process.kill(pid, 0));
}

function contains(directory: string, path: string): boolean {
  const below = relative(directory, path);
  return below === '' || !(below === '..' || /^\.\.[\\/]/.test(below) || isAbsolute(below));
}
