import { LogOptionsException } from './errors.ts';
import { nearestName } from './nearest-name.ts';

/** The address if none is set. */
export const DEFAULT_URL = 'http://localhost:3000';

/**
 * The environment variables of settings, in order of precedence; those of humioctl and other tools come last. The last four
 * settings have no option of the client: only the command line reads them. `LOGCLIENT_…` are read where they apply.
 */
export const VARIABLES = {
  baseUrl: ['LOGSCALE_URL', 'LOGSCALE_BASE_URL', 'HUMIO_ADDRESS', 'HUMIO_BASE_URL'],
  userToken: ['LOGSCALE_TOKEN', 'LOGSCALE_API_TOKEN', 'HUMIO_TOKEN'],
  ingestToken: ['LOGSCALE_INGEST_TOKEN', 'HUMIO_INGEST_TOKEN'],
  ingestUrl: ['LOGSCALE_INGEST_URL'],
  format: ['LOGSCALE_FORMAT'],
  repository: ['LOGSCALE_REPOSITORY', 'HUMIO_REPOSITORY'],
  clientId: ['FALCON_CLIENT_ID'],
  clientSecret: ['FALCON_CLIENT_SECRET'],
  memberCid: ['FALCON_MEMBER_CID'],
  cloud: ['FALCON_CLOUD'],
  falconUrl: ['FALCON_BASE_URL'],
  tags: ['LOGSCALE_TAGS'],
  flushIntervalMs: ['LOGSCALE_FLUSH_INTERVAL_MS'],
  redact: ['LOGSCALE_REDACT'],
  profile: ['LOGSCALE_PROFILE'],
  caFile: ['LOGSCALE_CA_FILE'],
  caCertificate: ['HUMIO_CA_CERTIFICATE'],
  insecure: ['LOGSCALE_INSECURE', 'HUMIO_INSECURE'],
} as const;

type SettingName = keyof typeof VARIABLES;

const SETTINGS = Object.keys(VARIABLES) as SettingName[];

export type Environment = Readonly<Record<string, string | undefined>>;

const OF_RECORDS: readonly SettingName[] = ['tags', 'flushIntervalMs', 'redact'];
/** Settings that apply to any destination. */
const GENERAL: readonly SettingName[] = ['format', 'repository', ...OF_RECORDS];

/** Settings that choose a service, give access to one or say how to connect. */
export const DESTINATION_SETTINGS = SETTINGS.filter((name) => !GENERAL.includes(name));

/** The variables that name a service, give access to it or say how to connect. */
export const CONNECTION_VARIABLES = SETTINGS.filter((name) => !OF_RECORDS.includes(name)).flatMap(
  (name): readonly string[] => VARIABLES[name],
);

/** The first variable that chooses a service or gives access to one. */
export function destinationVariable(environment: Environment): string | undefined {
  return DESTINATION_SETTINGS.flatMap((name) => VARIABLES[name]).find((name) => isSet(environment, name));
}

/** The variables that apply to any destination. */
export function generalVariables(environment: Environment): Environment {
  const names = GENERAL.flatMap((name) => VARIABLES[name]).filter((name) => isSet(environment, name));
  return Object.fromEntries(names.map((name) => [name, environment[name]]));
}

/** Whether a variable is set; an empty one counts as unset. */
export function isSet(environment: Environment, name: string): boolean {
  return (environment[name] ?? '').trim() !== '';
}

/** The value of a setting in the environment. An empty variable counts as unset. */
export function fromEnvironment(setting: SettingName): string | undefined {
  const name = firstSet(setting);
  return name === undefined ? undefined : process.env[name]?.trim();
}

/** The first variable of these settings that is set. */
export function firstSet(...settings: SettingName[]): string | undefined {
  const names: string[] = settings.flatMap((setting) => VARIABLES[setting]);
  return names.find((name) => isSet(process.env, name));
}

/** The name of a setting that has a value: that of the option, or of the variable with the value. */
export function nameOfSetting(setting: SettingName, option: unknown): string {
  return (option === undefined ? firstSet(setting) : undefined) ?? setting;
}

/** The variable to mention in an error about a missing setting. */
export function environmentName(setting: SettingName): string {
  return VARIABLES[setting][0];
}

/** Says which variable another one may mean, for errors about a missing setting. */
export function nameHint(): string {
  const known: readonly string[] = Object.values(VARIABLES).flat();
  const [hint = ''] = Object.keys(process.env).flatMap((name) => {
    if (known.includes(name) || !/^(?:LOGSCALE|HUMIO|FALCON)_./.test(name)) return [];
    const meant = known.find((each) => each.startsWith(name)) ?? nearestName(name, known, 2);
    return meant === undefined ? [] : `${name} is set: did you mean ${meant}?`;
  });
  return hint;
}

/**
 * An option, or else its variable.
 *
 * @param advice another sentence for the error.
 * @throws LogOptionsException if neither is set
 */
export function requireSetting(
  owner: string,
  name: SettingName,
  option: string | undefined,
  advice = (): string => '',
): string {
  const value = option === undefined ? fromEnvironment(name) : option;
  if (value !== undefined) return value;
  const problem = `"${name}" is missing. Pass it as an option or set ${environmentName(name)} in the environment.`;
  throw new LogOptionsException(`${owner}: ${problem} ${nameHint() || advice()}`.trimEnd());
}
