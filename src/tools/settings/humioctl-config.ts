import { homedir } from 'node:os';
import { join } from 'node:path';
import { nearestName } from '../../core/nearest-name.ts';
import { usageFailure } from '../output/command-failure.ts';
import type { Setting } from '../output/setting.ts';
import {
  membersOf,
  type ProfileSettings,
  profileName,
  profilesOf,
  readConfig,
  settingsOf,
} from './config-file.ts';

export interface ProfileChoice {
  /** The config file of humioctl, which is never written. */
  readonly file: string;
  /** Whether the file was set with `--config`, so it must exist. */
  readonly isNamed: boolean;
  /** `undefined` selects the top level of the file, humioctl's default profile. */
  readonly profile: Setting | undefined;
  /** Names of logclient's own profiles, for a hint. */
  readonly ownNames: readonly string[];
}

const NAMES = {
  url: 'address',
  token: 'token',
  repository: 'repository',
  caCertificate: 'ca_certificate',
  insecure: 'insecure',
};

/** The file that humioctl writes. */
export function humioctlConfigFile(): string {
  return join(homedir(), '.humio', 'config.yaml');
}

/**
 * The settings of a profile; empty if there is no file and no profile was requested.
 *
 * @throws CommandFailure for a file that can't be read or an unknown profile.
 */
export async function readHumioctlProfile(choice: ProfileChoice): Promise<ProfileSettings> {
  const { file, isNamed, profile } = choice;
  const config = await readConfig(file, 'address: https://…');
  if (config === undefined && isNamed) throw usageFailure(`--config ${file} doesn't exist.`);
  if (profile === undefined) return config === undefined ? {} : settingsOf(config, NAMES, file);
  const profiles = profilesOf(config);
  const name = profileName(profiles, profile.value);
  if (name === undefined) throw unknownProfile(profile, choice, config && Object.keys(profiles));
  return settingsOf(membersOf(profiles[name]), NAMES, `profile "${profile.value}" in ${file}`);
}

function unknownProfile(
  { value, origin }: Setting,
  { file, ownNames }: ProfileChoice,
  names: readonly string[] | undefined,
): Error {
  const known = [...ownNames, ...(names ?? [])];
  const nearest = nearestName(value, known);
  const where = names === undefined ? '' : ` in ${file}`;
  const hint =
    nearest !== undefined
      ? `Did you mean ${nearest}?`
      : known.length > 0
        ? `There are ${known.join(', ')}.`
        : `"logclient auth login --profile ${value}" creates it.`;
  return usageFailure(`no profile "${value}" (${origin})${where}. ${hint}`);
}
