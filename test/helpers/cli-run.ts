import { Readable } from 'node:stream';
import { onTestFinished, vi } from 'vitest';
import { VARIABLES } from '../../src/core/environment.ts';
import { runCli } from '../../src/tools/cli/run-cli.ts';
import type { ServerAccess } from './server-process.ts';

const OTHER_VARIABLES = [
  'NO_COLOR',
  'FORCE_COLOR',
  'CLICOLOR_FORCE',
  'LOGCLIENT_PAGER',
  'LOGCLIENT_QUERY_KEYS',
  'PAGER',
  'CI',
  'XDG_CONFIG_HOME',
  'XDG_STATE_HOME',
  'APPDATA',
];

/** A command finds neither the profiles of the developer nor a server that the developer runs. */
const DEFAULTS = { HOME: '/nonexistent', TERM: 'xterm-256color', LOGCLIENT_DISCOVERY: 'off' };

export interface CliRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliRunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Makes stdout a terminal with this many columns. Default: not a terminal. */
  readonly terminal?: number;
  /** What the command reads from stdin. Default: the stdin of this process. */
  readonly stdin?: string | Readable;
}

/** A command that runs in this process. */
export interface RunningCommand {
  /** The output so far. */
  readonly output: { stdout: string; stderr: string };
  /** Resolves with the exit code. */
  readonly ended: Promise<number>;
  /** Does what the command does on a signal. */
  readonly kill: (signal: Signal) => void;
}

type Signal = (typeof SIGNALS)[number];

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Replaces the variables that the command line reads. */
export function stubEnvironment(env: Readonly<Record<string, string>> = {}): void {
  for (const name of [...Object.values(VARIABLES).flat(), ...OTHER_VARIABLES]) vi.stubEnv(name, undefined);
  for (const [name, value] of Object.entries({ ...DEFAULTS, ...env })) vi.stubEnv(name, value);
}

/** Runs the command line in this process, which is much faster than a child process and differs only at exit. */
export async function runCommand(words: readonly string[], options: CliRunOptions = {}): Promise<CliRun> {
  const { output, ended } = startCommand(words, options);
  return { code: await ended, ...output };
}

/**
 * Starts the command line in this process. It is stopped at the end of the test. No other command can run meanwhile,
 * because the environment and the streams belong to the process.
 */
export function startCommand(words: readonly string[], options: CliRunOptions = {}): RunningCommand {
  stubEnvironment(options.env);
  const output = { stdout: '', stderr: '' };
  const release = [
    () => void vi.unstubAllEnvs(),
    replaceTerminal(options.terminal),
    ...(options.stdin === undefined ? [] : [replaceStdin(options.stdin)]),
    catchText(process.stdout, (text) => (output.stdout += text)),
    catchText(process.stderr, (text) => (output.stderr += text)),
  ];
  const listeners = addedListeners();
  let isRunning = true;
  const ended = runCli(words).finally(() => {
    isRunning = false;
    for (const [event, listener] of listeners()) process.off(event, listener);
    for (const undo of release) undo();
  });
  const kill = (signal: Signal): void => {
    for (const [event, listener] of listeners()) if (event === signal) listener();
  };
  onTestFinished(async () => {
    if (isRunning) kill('SIGTERM');
    await ended;
  });
  return { output, ended, kill };
}

/** The environment variables for a server. */
export function accessTo({ url, repository, userToken }: ServerAccess): Record<string, string> {
  return { LOGSCALE_URL: url, LOGSCALE_REPOSITORY: repository, LOGSCALE_TOKEN: userToken };
}

/** How `logclient ingest` names a server. */
export function hostOf({ url }: { readonly url: string }): string {
  return new URL(url).host;
}

function catchText(stream: NodeJS.WriteStream, onText: (text: string) => void): () => void {
  const spy = vi.spyOn(stream, 'write').mockImplementation((chunk: string | Uint8Array) => {
    onText(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
    return true;
  });
  return () => spy.mockRestore();
}

function replaceTerminal(columns: number | undefined): () => void {
  const before = { isTTY: process.stdout.isTTY, columns: process.stdout.columns };
  Object.assign(process.stdout, { isTTY: columns !== undefined, columns });
  return () => void Object.assign(process.stdout, before);
}

function replaceStdin(stdin: string | Readable): () => void {
  const stream = typeof stdin === 'string' ? Readable.from([Buffer.from(stdin)]) : stdin;
  const spy = vi.spyOn(process, 'stdin', 'get').mockReturnValue(stream as typeof process.stdin);
  return () => spy.mockRestore();
}

type Listener = () => void;

/** @returns what lists the listeners for signals that were added since this call, as they are registered. */
function addedListeners(): () => readonly (readonly [signal: Signal, listener: Listener])[] {
  const all = () =>
    SIGNALS.flatMap((signal) =>
      (process.rawListeners(signal) as Listener[]).map((listener) => [signal, listener] as const),
    );
  const before = new Set(all().map(([, listener]) => listener));
  return () => all().filter(([, listener]) => !before.has(listener));
}
