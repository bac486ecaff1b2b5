import type { LogClient } from '../index.ts';
import { authenticationFailure, usageFailure } from './command-failure.ts';
import { describeFailure, HOW_TO_GIVE_A_TOKEN } from './failure.ts';
import { interruptSignal } from './interruption.ts';
import { outputClosedSignal, writeNote } from './output/standard-output.ts';
import { connectionAgent } from './settings/agent.ts';
import type { ConnectionFlags } from './settings/connection-flags.ts';
import { type ConnectionSettings, resolveConnection } from './settings/connection-settings.ts';

/** What a command works with. */
export interface Service {
  readonly client: LogClient;
  readonly settings: ConnectionSettings;
  /** Aborts with Ctrl-C, and when nobody reads the output any more. */
  readonly signal: AbortSignal;
}

/** What a command can't do without. */
export interface Needs {
  /** @default true */
  readonly repository?: boolean;
  /** @default true */
  readonly token?: boolean;
}

/** A client always has a repository; commands that need none do not use it. */
const NO_REPOSITORY = 'none';
const NO_TOKEN = 'none';

/**
 * Runs a command against the service that the flags, the environment or a profile name.
 *
 * @throws CommandFailure for what can't be found out and what goes wrong, in terms of the command line.
 */
export async function withService(
  flags: ConnectionFlags,
  needs: Needs,
  action: (service: Service) => Promise<void>,
): Promise<void> {
  const settings = await resolveConnection(flags);
  requireSettings(settings, needs);
  sayIfInsecure(settings);
  try {
    const client = await openClient(settings);
    const signal = AbortSignal.any([interruptSignal(), outputClosedSignal()]);
    await action({ client, settings, signal });
  } catch (error) {
    throw describeFailure(error, settings);
  }
}

export function sayIfInsecure({ insecure }: ConnectionSettings): void {
  if (!insecure.value) return;
  writeNote(`logclient: the certificate of the service is not checked (${insecure.origin}).`);
}

/** @throws CommandFailure for what is missing. */
export function requireSettings({ token, repository }: ConnectionSettings, needs: Needs): void {
  if (needs.token !== false && token === undefined) {
    throw authenticationFailure(`there is no token. ${HOW_TO_GIVE_A_TOKEN}`);
  }
  if (needs.repository !== false && repository === undefined) {
    throw usageFailure('there is no repository. Pass --repository <name> or set LOGSCALE_REPOSITORY.');
  }
}

async function openClient(settings: ConnectionSettings): Promise<LogClient> {
  // Loaded here: what needs no service starts without it.
  const { LogClient } = await import('../index.ts');
  const agent = await connectionAgent(settings);
  return new LogClient({
    baseUrl: settings.url.value,
    userToken: settings.token?.value ?? NO_TOKEN,
    repository: settings.repository?.value ?? NO_REPOSITORY,
    timeoutMs: settings.timeoutMs.value,
    agent,
  });
}
