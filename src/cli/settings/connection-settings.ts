import { usageFailure } from '../command-failure.ts';
import { readTextFile } from '../input-file.ts';
import type { ConnectionFlags } from './connection-flags.ts';
import { DEFAULT_URL, type Environment, environmentSetting } from './environment.ts';
import { humioctlConfigFile, readProfile } from './humioctl-config.ts';
import type { Setting } from './setting.ts';

/** The settings of a connection, each with its origin. */
export interface ConnectionSettings {
  readonly url: Setting;
  readonly token: Setting | undefined;
  readonly ingestToken: Setting | undefined;
  readonly repository: Setting | undefined;
  /** The certificate itself, PEM. */
  readonly caCertificate: Setting | undefined;
  readonly insecure: Setting<boolean>;
  readonly timeoutMs: Setting<number>;
  readonly profile: Setting | undefined;
}

const DEFAULT_TIMEOUT_SECONDS = 30;

/**
 * Resolves each setting: flags override the environment, which overrides the profile, which overrides the default.
 *
 * @throws CommandFailure for a file that can't be read or an unknown profile.
 */
export async function resolveConnection(
  flags: ConnectionFlags,
  environment: Environment = process.env,
): Promise<ConnectionSettings> {
  const profile = fromFlag('--profile', flags.profile) ?? environmentSetting(environment, 'profile');
  const kept = await readProfile({
    file: flags.config ?? humioctlConfigFile(),
    isNamed: flags.config !== undefined,
    profile,
  });
  return {
    url: fromFlag('--url', flags.url) ??
      environmentSetting(environment, 'url') ??
      kept.url ?? { value: DEFAULT_URL, origin: 'default' },
    token: (await tokenFlag(flags)) ?? environmentSetting(environment, 'token') ?? kept.token,
    ingestToken: environmentSetting(environment, 'ingestToken'),
    repository:
      fromFlag('--repository', flags.repository) ??
      environmentSetting(environment, 'repository') ??
      kept.repository,
    caCertificate: (await caCertificate(flags, environment)) ?? kept.caCertificate,
    insecure: insecure(flags, environment, kept.insecure),
    timeoutMs:
      flags.timeout === undefined
        ? { value: DEFAULT_TIMEOUT_SECONDS * 1000, origin: 'default' }
        : { value: flags.timeout * 1000, origin: '--timeout' },
    profile,
  };
}

function fromFlag(origin: string, value: string | undefined): Setting | undefined {
  if (value === undefined) return undefined;
  if (value.trim() !== '') return { value: value.trim(), origin };
  throw usageFailure(`${origin} is empty. Pass a value or omit the flag.`);
}

async function tokenFlag({ token, tokenFile }: ConnectionFlags): Promise<Setting | undefined> {
  if (token !== undefined && tokenFile !== undefined) {
    throw usageFailure("--token and --token-file can't be combined; pass only one.");
  }
  if (tokenFile === undefined) return fromFlag('--token', token);
  const origin = tokenFile === '-' ? '--token-file - (stdin)' : `--token-file ${tokenFile}`;
  const value = (await readTextFile('--token-file', tokenFile)).trim();
  if (value === '') throw usageFailure(`${origin} is empty.`);
  return { value, origin };
}

async function caCertificate(
  { caFile }: ConnectionFlags,
  environment: Environment,
): Promise<Setting | undefined> {
  const file = fromFlag('--ca-file', caFile) ?? environmentSetting(environment, 'caFile');
  if (file === undefined) return environmentSetting(environment, 'caCertificate');
  const value = await readTextFile(file.origin, file.value);
  if (!value.includes('-----BEGIN')) throw usageFailure(`${file.origin}: ${file.value} is not a PEM file.`);
  return { value, origin: `${file.origin} ${file.value}` };
}

function insecure(
  flags: ConnectionFlags,
  environment: Environment,
  kept: Setting | undefined,
): Setting<boolean> {
  if (flags.insecure === true) return { value: true, origin: '--insecure' };
  const found = environmentSetting(environment, 'insecure') ?? kept;
  if (found === undefined) return { value: false, origin: 'default' };
  return { value: /^(true|1|yes)$/i.test(found.value), origin: found.origin };
}
