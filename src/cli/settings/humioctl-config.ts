import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isJsonObject } from '../../internal/json-object.ts';
import { nearestName } from '../../internal/option-checks.ts';
import { usageFailure } from '../command-failure.ts';
import type { Setting } from './setting.ts';

/** What a profile of humioctl can hold. Its file is read and never written. */
export interface ProfileSettings {
  readonly url?: Setting;
  readonly token?: Setting;
  readonly repository?: Setting;
  readonly caCertificate?: Setting;
  readonly insecure?: Setting;
}

export interface ProfileChoice {
  /** Where humioctl keeps its settings. */
  readonly file: string;
  /** Somebody has named the file, so it has to be there. */
  readonly isNamed: boolean;
  /** `undefined`: what stands at the top of the file, which humioctl has for the default. */
  readonly profile: Setting | undefined;
}

/** The file that humioctl writes. */
export function humioctlConfigFile(): string {
  return join(homedir(), '.humio', 'config.yaml');
}

/**
 * The settings of a profile; none when there is no file and nobody has asked for a profile.
 *
 * @throws CommandFailure for a file that can't be read and a profile that is not in it.
 */
export async function readProfile({ file, isNamed, profile }: ProfileChoice): Promise<ProfileSettings> {
  const text = await readIfThere(file);
  if (text === undefined) {
    if (isNamed) throw usageFailure(`--config ${file} is not there.`);
    if (profile === undefined) return {};
    throw usageFailure(
      `there is no profile "${profile.value}" (${profile.origin}), because there is no file ${file}. "humioctl profiles add" makes one.`,
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
    throw usageFailure(`${file} can't be read (${code ?? 'unknown reason'}).`);
  }
}

async function parseConfig(text: string, file: string): Promise<Members> {
  // Loaded here: most commands run without such a file.
  const { parse } = await import('yaml');
  let config: unknown;
  try {
    config = parse(text);
  } catch {
    // The parser's own message quotes the line, and there may be a token in it.
    throw usageFailure(`${file} is not valid YAML.`);
  }
  if (config !== null && !isJsonObject(config)) {
    throw usageFailure(`${file} holds no settings. It must have lines such as "address: https://…".`);
  }
  return membersOf(config);
}

function profileOf({ profiles }: Members, { value, origin }: Setting, file: string): Members {
  const known = Object.keys(membersOf(profiles));
  // humioctl keeps the names in lower case.
  const name = known.find((each) => each.toLowerCase() === value.toLowerCase());
  if (name !== undefined) return membersOf(membersOf(profiles)[name]);
  const nearest = nearestName(value, known);
  const names = known.length === 0 ? 'It has none.' : `It has ${known.join(', ')}.`;
  const hint = nearest === undefined ? names : `Did you mean ${nearest}?`;
  throw usageFailure(`there is no profile "${value}" (${origin}) in ${file}. ${hint}`);
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
