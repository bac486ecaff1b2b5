import { chmod, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeFolders } from '../../core/folders.ts';
import { meantName } from '../../core/nearest-name.ts';
import { usageFailure } from '../output/command-failure.ts';
import type { Environment } from '../output/environment.ts';
import { writeFailure } from '../output/output-file.ts';
import type { Setting } from '../output/setting.ts';
import {
  type Members,
  membersOf,
  OWN_NAMES,
  type ProfileSettings,
  profileName,
  profilesOf,
  readConfig,
  settingsOf,
} from './config-file.ts';

/** The profile that applies if none is named. */
export const DEFAULT_PROFILE = 'default';

/** The file with the profiles that `logclient auth login` saves. */
export function logclientConfigFile(environment: Environment = process.env): string {
  const { XDG_CONFIG_HOME: xdg, APPDATA: appData } = environment;
  const windows = process.platform === 'win32' ? appData : undefined;
  return join(xdg || windows || join(homedir(), '.config'), 'logclient', 'config.yaml');
}

/**
 * Settings of a profile, and the names of all profiles.
 *
 * @param profile undefined selects the default profile.
 * @throws CommandFailure for a file that can't be read.
 */
export async function readOwnProfile(
  file: string,
  profile: Setting | undefined,
): Promise<{ settings: ProfileSettings | undefined; names: readonly string[] }> {
  const profiles = profilesOf(await readOwnConfig(file));
  const name = profileName(profiles, profile?.value ?? DEFAULT_PROFILE);
  const names = Object.keys(profiles);
  if (name === undefined) return { settings: undefined, names };
  return {
    settings: settingsOf(membersOf(profiles[name]), OWN_NAMES, `profile "${name}" in ${file}`),
    names,
  };
}

/** Saves a profile. Replaces one with the same name. Only the user can read the file. */
export async function saveProfile(file: string, name: string, settings: ProfileSettings): Promise<void> {
  const members: Record<string, string> = {};
  for (const [setting, key] of Object.entries(OWN_NAMES)) {
    const { value } = settings[setting as keyof ProfileSettings] ?? {};
    if (value !== undefined) members[key] = value;
  }
  const config = (await readOwnConfig(file)) ?? {};
  const profiles = { ...profilesOf(config) };
  delete profiles[profileName(profiles, name) ?? name];
  await writeConfig(file, { ...config, profiles: { ...profiles, [name]: members } });
}

/** Removes a profile. @returns whether it existed. */
export async function removeProfile(file: string, profile: string): Promise<boolean> {
  const config = await readOwnConfig(file);
  const profiles = { ...profilesOf(config) };
  const name = profileName(profiles, profile);
  if (name === undefined) return false;
  delete profiles[name];
  await writeConfig(file, { ...config, profiles });
  return true;
}

function readOwnConfig(file: string): Promise<Members | undefined> {
  return readConfig(file, 'profiles:');
}

/** Replaces the file atomically. */
async function writeConfig(file: string, config: Members): Promise<void> {
  const { stringify } = await import('yaml');
  const draft = `${file}.${process.pid}.tmp`;
  try {
    makeFolders(dirname(file), 0o700);
    await writeFile(draft, stringify(config), { mode: 0o600 });
    // The draft of a command that crashed may have other permissions.
    await chmod(draft, 0o600);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    throw writeFailure(file, error);
  }
}

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

const HUMIOCTL_NAMES = {
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
  if (profile === undefined) return config === undefined ? {} : settingsOf(config, HUMIOCTL_NAMES, file);
  const profiles = profilesOf(config);
  const name = profileName(profiles, profile.value);
  if (name === undefined) throw unknownProfile(profile, choice, config && Object.keys(profiles));
  return settingsOf(membersOf(profiles[name]), HUMIOCTL_NAMES, `profile "${profile.value}" in ${file}`);
}

function unknownProfile(
  { value, origin }: Setting,
  { file, ownNames }: ProfileChoice,
  names: readonly string[] | undefined,
): Error {
  const known = [...ownNames, ...(names ?? [])];
  const where = names === undefined ? '' : ` in ${file}`;
  const all = `There are ${known.join(', ')}.`;
  const hint = known.length > 0 ? all : `"logclient auth login --profile ${value}" creates it.`;
  return usageFailure(`no profile "${value}" (${origin})${where}. ${meantName(value, known, hint)}`);
}
