import { chmod, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Environment } from '../../core/environment.ts';
import { makeFolders } from '../../core/folders.ts';
import { meantName } from '../../core/nearest-name.ts';
import { usageFailure } from '../output/command-failure.ts';
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
  type Source,
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

/** The names of all profiles, of our own file and of that of humioctl. @throws CommandFailure */
export async function profileNames(): Promise<readonly string[]> {
  const own = await readOwnConfig(logclientConfigFile());
  const other = await readConfig(humioctlConfigFile(), HUMIOCTL_EXAMPLE);
  return [...new Set([own, other].flatMap((config) => Object.keys(profilesOf(config))))];
}

/** Saves a profile, which only the user can read, or removes it if it has no settings. @returns whether there was one with this name */
export async function saveProfile(file: string, name: string, settings?: ProfileSettings): Promise<boolean> {
  const config = await readOwnConfig(file);
  const profiles = { ...profilesOf(config) };
  const known = profileName(profiles, name);
  if (known !== undefined) delete profiles[known];
  if (settings !== undefined) {
    const members = Object.entries(OWN_NAMES).map(([setting, key]) => [
      key,
      settings[setting as keyof ProfileSettings]?.value,
    ]);
    profiles[name] = Object.fromEntries(members.filter(([, value]) => value !== undefined));
  }
  if (settings !== undefined || known !== undefined) await writeConfig(file, { ...config, profiles });
  return known !== undefined;
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

const HUMIOCTL_NAMES = { ...OWN_NAMES, url: 'address' };
const HUMIOCTL_EXAMPLE = 'address: https://…';

/** The file that humioctl writes. */
function humioctlConfigFile(): string {
  return join(homedir(), '.humio', 'config.yaml');
}

/**
 * The settings of a profile in our own file, or else in that of humioctl.
 *
 * @param profile undefined selects the default profile, or else the top level of the file of humioctl, if there are any.
 * @param config path of the file of humioctl, in which the profile must then be.
 * @throws CommandFailure for a file that can't be read or an unknown profile.
 */
export async function readProfile(
  profile: Setting | undefined,
  config: string | undefined,
  environment: Environment,
): Promise<Source> {
  const ownFile = logclientConfigFile(environment);
  const own = config === undefined ? profilesOf(await readOwnConfig(ownFile)) : {};
  const ownName = profileName(own, profile?.value ?? DEFAULT_PROFILE);
  if (ownName !== undefined) {
    const settings = settingsOf(membersOf(own[ownName]), OWN_NAMES, `profile "${ownName}" in ${ownFile}`);
    return { ...settings, falconUrl: settings.url };
  }
  const file = config ?? humioctlConfigFile();
  const members = await readConfig(file, HUMIOCTL_EXAMPLE);
  if (members === undefined && config !== undefined) throw usageFailure(`--config ${file} doesn't exist.`);
  if (profile === undefined) return settingsOf(members ?? {}, HUMIOCTL_NAMES, file);
  const { value, origin } = profile;
  const profiles = profilesOf(members);
  const name = profileName(profiles, value);
  if (name !== undefined)
    return settingsOf(membersOf(profiles[name]), HUMIOCTL_NAMES, `profile "${value}" in ${file}`);
  const known = [...Object.keys(own), ...Object.keys(profiles)];
  const where = members === undefined ? '' : ` in ${file}`;
  const all = `There are ${known.join(', ')}.`;
  const hint = known.length > 0 ? all : `"logclient auth login --profile ${value}" creates it.`;
  throw usageFailure(`no profile "${value}" (${origin})${where}. ${meantName(value, known, hint)}`);
}
