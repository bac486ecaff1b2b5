import { LogOptionsException } from './errors.ts';

/** The environment variables that this package reads, by setting and in order of precedence. */
const VARIABLES = {
  baseUrl: ['LOGSCALE_URL', 'HUMIO_ADDRESS'],
  userToken: ['LOGSCALE_TOKEN', 'HUMIO_TOKEN'],
  ingestToken: ['LOGSCALE_INGEST_TOKEN'],
  ingestUrl: ['LOGSCALE_INGEST_URL'],
  format: ['LOGSCALE_FORMAT'],
  repository: ['LOGSCALE_REPOSITORY'],
  clientId: ['FALCON_CLIENT_ID'],
  clientSecret: ['FALCON_CLIENT_SECRET'],
  memberCid: ['FALCON_MEMBER_CID'],
  cloud: ['FALCON_CLOUD'],
  falconUrl: ['FALCON_BASE_URL'],
  tags: ['LOGSCALE_TAGS'],
  flushIntervalMs: ['LOGSCALE_FLUSH_INTERVAL_MS'],
  redact: ['LOGSCALE_REDACT'],
} as const;

/** The value of a setting in the environment. An empty variable counts as unset. */
export function fromEnvironment(setting: keyof typeof VARIABLES): string | undefined {
  const name = firstSet(setting);
  return name === undefined ? undefined : process.env[name]?.trim();
}

/** The first variable of these settings that is set. */
export function firstSet(...settings: (keyof typeof VARIABLES)[]): string | undefined {
  const names: string[] = settings.flatMap((setting) => VARIABLES[setting]);
  return names.find((name) => (process.env[name] ?? '').trim() !== '');
}

/** The variables to mention in an error about a missing setting. */
export function environmentNames(setting: keyof typeof VARIABLES): string {
  return VARIABLES[setting].join(' or ');
}

/** An option, or else its variable. @throws LogOptionsException if neither is set. */
export function requireSetting(
  owner: string,
  name: keyof typeof VARIABLES,
  option: string | undefined,
): string {
  const value = option ?? fromEnvironment(name);
  if (value !== undefined) return value;
  throw new LogOptionsException(
    `${owner}: "${name}" is missing. Pass it as an option or set ${environmentNames(name)} in the environment.`,
  );
}
