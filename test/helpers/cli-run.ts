import { onTestFinished, vi } from 'vitest';
import { runCli } from '../../src/tools/cli/run-cli.ts';
import { VARIABLES } from '../../src/tools/output/environment.ts';
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
}

/** Replaces the variables that the command line reads. */
export function stubEnvironment(env: Readonly<Record<string, string>> = {}): void {
  for (const name of [...Object.values(VARIABLES).flat(), ...OTHER_VARIABLES]) vi.stubEnv(name, undefined);
  for (const [name, value] of Object.entries({ ...DEFAULTS, ...env })) vi.stubEnv(name, value);
}

/** Runs the command line in this process, which is much faster than a child process and differs only at exit. */
export async function runCommand(words: readonly string[], options: CliRunOptions = {}): Promise<CliRun> {
  stubEnvironment(options.env);
  onTestFinished(() => void vi.unstubAllEnvs());
  const before = { isTTY: process.stdout.isTTY, columns: process.stdout.columns };
  Object.assign(process.stdout, { isTTY: options.terminal !== undefined, columns: options.terminal });
  const stdout = catchText(process.stdout);
  const stderr = catchText(process.stderr);
  try {
    return { code: await runCli(words), stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    stdout.release();
    stderr.release();
    Object.assign(process.stdout, before);
    vi.unstubAllEnvs();
  }
}

/** The environment variables for a server. */
export function accessTo({ url, repository, userToken }: ServerAccess): Record<string, string> {
  return { LOGSCALE_URL: url, LOGSCALE_REPOSITORY: repository, LOGSCALE_TOKEN: userToken };
}

function catchText(stream: NodeJS.WriteStream): { text(): string; release(): void } {
  let text = '';
  const spy = vi.spyOn(stream, 'write').mockImplementation((chunk: string | Uint8Array) => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    return true;
  });
  return { text: () => text, release: () => spy.mockRestore() };
}
