import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isJsonObject } from '../../internal/json-object.ts';
import { nearestName } from '../../internal/option-checks.ts';
import { usageFailure } from '../command-failure.ts';
import type { Setting } from './setting.ts';

/** The settings of a humioctl profile. The file is read, never written. */
export interface ProfileSettings {
  readonly url?: Setting;
  readonly token?: Setting;
  readonly repository?: Setting;
  readonly caCertificate?: Setting;
  readonly insecure?: Setting;
}

export interface ProfileChoice {
  /** The config file of humioctl. */
  readonly file: string;
  /** The file was set with `--config`, so it must exist. */
  readonly isNamed: boolean;
  /** `undefined` selects the top level of the file, humioctl's default profile. */
  readonly profile: Setting | undefined;
}

/** The file that humioctl writes. */
export function humioctlConfigFile(): string {
  return join(homedir(), '.humio', 'config.yaml');
}

/**
 * The settings of a profile; empty if there is no file and no profile was requested.
 *
 * @throws CommandFailure for a file that can't be read or an unknown profile.
 */
export async function readProfile({ file, isNamed, profile }: ProfileChoice): Promise<ProfileSettings> {
  const text = await readIfThere(file);
  if (text === undefined) {
    if (isNamed) throw usageFailure(`--config ${file} doesn't exist.`);
    if (profile === undefined) return {};
    throw usageFailure(
      `no profile "${profile.value}" (${profile.origin}): ${file} doesn't exist. "humioctl profiles add" creates it.`,
    );
  }
  const config = await parseConfig(text, file);
  if (profile === undefined) return settingsOf(config, file);
  return settingsOf(profileOf(config, profile, file), `profile "${profile.value}" in ${file}`);
}

type Members = Readonly<Record<string, unknown>>;

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw usageFailure(`can't read ${file} (${code ?? 'unknown reason'}).`);
  }
}

async function parseConfig(text: string, file: string): Promise<Members> {
  // Loaded on demand: most commands run without such a file.
  const { parse } = await import('yaml');
  let config: unknown;
  try {
    config = parse(text);
  } catch {
    // The parser's message quotes the line, which may contain a token.
    throw usageFailure(`${file} is not valid YAML.`);
  }
  if (config !== null && !isJsonObject(config)) {
    throw usageFailure(`${file} contains no settings. It must have lines such as "address: https://…".`);
  }
  return membersOf(config);
}

function profileOf({ profiles }: Members, { value, origin }: Setting, file: string): Members {
  const known = Object.keys(membersOf(profiles));
  // humioctl stores names in lower case.
  const name = known.find((each) => each.toLowerCase() === value.toLowerCase());
  if (name !== undefined) return membersOf(membersOf(profiles)[name]);
  const nearest = nearestName(value, known);
  const names = known.length === 0 ? 'It has no profiles.' : `It has ${known.join(', ')}.`;
  const hint = nearest === undefined ? names : `Did you mean ${nearest}?`;
  throw usageFailure(`no profile "${value}" (${origin}) in ${file}. ${hint}`);
}

function settingsOf(members: Members, origin: string): ProfileSettings {
  const names = {
    url: 'address',
    token: 'token',
    repository: 'repository',
    caCertificate: 'ca_certificate',
    insecure: 'insecure',
  };
  const settings: Record<string, Setting> = {};
  for (const [setting, name] of Object.entries(names)) {
    const value = members[name] ?? members[name.replace('_', '-')];
    const text = typeof value === 'string' || typeof value === 'boolean' ? String(value).trim() : '';
    if (text !== '') settings[setting] = { value: text, origin };
  }
  return settings;
}

function membersOf(value: unknown): Members {
  return isJsonObject(value) ? (value as Members) : {};
}
