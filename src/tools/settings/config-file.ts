import { readFile } from 'node:fs/promises';
import { isJsonObject } from '../../core/json-object.ts';
import { unreadable, usageFailure } from '../output/command-failure.ts';
import type { Setting } from '../output/setting.ts';

/** The names that the settings of a profile have in logclient's own file. */
export const OWN_NAMES = {
  url: 'url',
  cloud: 'cloud',
  token: 'token',
  clientId: 'client_id',
  clientSecret: 'client_secret',
  memberCid: 'member_cid',
  repository: 'repository',
  caCertificate: 'ca_certificate',
  insecure: 'insecure',
} as const;

/** The settings of a profile. */
export type ProfileSettings = { readonly [Name in keyof typeof OWN_NAMES]?: Setting | undefined };

/** Settings of one source: the flags, the environment, or a profile. */
export interface Source extends ProfileSettings {
  /** Address of Next-Gen SIEM, if its variable differs from that of LogScale. */
  readonly falconUrl?: Setting | undefined;
}

/** Members of a YAML object. */
export type Members = Readonly<Record<string, unknown>>;

/**
 * Reads a YAML file, which may be missing.
 *
 * @param example a line that the file can have, for the error message.
 * @throws CommandFailure
 */
export async function readConfig(file: string, example: string): Promise<Members | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw usageFailure(unreadable(file, error));
  });
  if (text === undefined) return undefined;
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
    throw usageFailure(`${file} contains no settings. It must have lines such as "${example}".`);
  }
  return membersOf(config);
}

/** Picks the settings that a file has under other names. */
export function settingsOf(
  members: Members,
  names: { readonly [Name in keyof ProfileSettings]: string },
  origin: string,
): ProfileSettings {
  const settings: Record<string, Setting> = {};
  for (const [setting, name] of Object.entries(names)) {
    const value = members[name] ?? members[name.replace('_', '-')];
    const text = ['string', 'boolean', 'number'].includes(typeof value) ? String(value).trim() : '';
    if (text !== '') settings[setting] = { value: text, origin };
  }
  return settings;
}

/** The profiles of a file, by name. */
export function profilesOf(config: Members | undefined): Members {
  return membersOf(config?.profiles);
}

/** The name of a profile as it is written. humioctl stores names in lower case. */
export function profileName(profiles: Members, name: string): string | undefined {
  return Object.keys(profiles).find((each) => each.toLowerCase() === name.toLowerCase());
}

export function membersOf(value: unknown): Members {
  return isJsonObject(value) ? (value as Members) : {};
}
