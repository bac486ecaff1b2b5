import { choosingServer } from '../../core/discovery/local-servers.ts';
import { nameHint } from '../../core/environment.ts';
import type { ConnectionOptions, LogClient } from '../../index.ts';
import { authenticationFailure, usageFailure } from '../output/command-failure.ts';
import { interruptSignal } from '../output/interruption.ts';
import { outputClosedSignal, writeNote } from '../output/standard-output.ts';
import type { ConnectionFlags } from './connection-flags.ts';
import { type ConnectionSettings, resolveConnection } from './connection-settings.ts';
import { describeFailure, HOW_TO_GIVE_A_TOKEN, serverAdvice } from './failure.ts';

/** The client, settings and abort signal of a command. */
export interface Service {
  readonly client: LogClient;
  readonly settings: ConnectionSettings;
  /** Aborts on Ctrl-C and when the reader of stdout closes the pipe. */
  readonly signal: AbortSignal;
}

/** The settings that a command requires. */
export interface Needs {
  /** @default true */
  readonly repository?: boolean;
  /** @default true */
  readonly token?: boolean;
}

/** `LogClient` requires a repository and a token; commands that don't need them never use this value. */
const UNUSED = 'none';

/**
 * Runs a command against the service set by the flags, the environment or a profile.
 *
 * @throws CommandFailure for a missing setting and for every error of the service.
 */
export async function withService(
  flags: ConnectionFlags & { readonly quiet?: boolean },
  needs: Needs,
  action: (service: Service) => Promise<void>,
): Promise<void> {
  const settings = await resolveConnection(flags);
  requireSettings(settings, needs);
  if (flags.quiet !== true) sayIfInsecure(settings);
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
  writeNote(`logclient: the service's certificate is not verified (${insecure.origin}).`);
}

/** @throws CommandFailure for a missing setting. */
export function requireSettings(settings: ConnectionSettings, needs: Needs): void {
  const { token, client, repository } = settings;
  if (needs.token !== false && token === undefined && client === undefined) {
    throw authenticationFailure(
      `no token is set. ${HOW_TO_GIVE_A_TOKEN} ${serverAdvice(settings)}`.trimEnd(),
    );
  }
  if (needs.repository !== false && repository === undefined) {
    const advice = nameHint();
    throw usageFailure(
      `no repository is set. Pass --repository <name> or set LOGSCALE_REPOSITORY. ${advice}`.trimEnd(),
    );
  }
}

/** A client with the credentials of the settings. */
export async function openClient(settings: ConnectionSettings): Promise<LogClient> {
  const { token, client, repository, timeoutMs, localServer } = settings;
  // Loaded on demand: commands without a service start faster.
  const { LogClient } = await import('../../index.ts');
  const options = { repository: repository?.value ?? UNUSED, timeoutMs: timeoutMs.value };
  if (localServer !== undefined) return new LogClient(choosingServer(options, localServer));
  const connection = { ...options, ...(await connectionOptions(settings)) };
  if (client === undefined) return new LogClient({ ...connection, userToken: token?.value ?? UNUSED });
  const { id, secret, memberCid } = client;
  const auth = { clientId: id.value, clientSecret: secret.value, memberCid: memberCid?.value };
  return new LogClient({ ...connection, auth });
}

/**
 * The address of the service and the certificates to trust, as options of a client.
 *
 * @throws LogOptionsException if `--insecure` is set and the proxy in the environment is not a URL.
 */
export async function connectionOptions({
  url: { value: baseUrl },
  caCertificate,
  insecure,
}: ConnectionSettings): Promise<ConnectionOptions> {
  const isSecure = URL.canParse(baseUrl) && new URL(baseUrl).protocol === 'https:';
  if (!insecure.value || !isSecure) return { baseUrl, ca: caCertificate?.value };
  const { unverifiedAgent } = await import('../../core/http/node/https-agent.ts');
  return { baseUrl, agent: unverifiedAgent(new URL(baseUrl)) };
}
