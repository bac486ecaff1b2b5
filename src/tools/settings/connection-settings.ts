import {
  canDiscover,
  discoverySentence,
  type LocalServerState,
  respondingLocalServer,
} from '../../core/discovery/local-servers.ts';
import { DEFAULT_URL, type Environment, generalVariables, VARIABLES } from '../../core/environment.ts';
import { CLOUD_ORIGINS, CLOUDS, DEFAULT_CLOUD } from '../../core/http/falcon/clouds.ts';
import { isOn } from '../../core/switches.ts';
import type { ServiceKind } from '../../index.ts';
import { usageFailure } from '../output/command-failure.ts';
import { environmentSetting } from '../output/environment.ts';
import type { Setting } from '../output/setting.ts';
import { writeNote } from '../output/standard-output.ts';
import type { Source } from './config-file.ts';
import type { ConnectionFlags } from './connection-flags.ts';
import { readTextFile, secretOf } from './input-file.ts';
import { readProfile } from './logclient-config.ts';

/** The settings of a connection, each with its origin. */
export interface ConnectionSettings {
  /** Determined by the credentials. */
  readonly service: ServiceKind;
  readonly url: Setting;
  readonly token: Setting | undefined;
  readonly client: ApiClientSettings | undefined;
  /** The one of the environment, unless a profile that was named sets the address. */
  readonly ingestToken: Setting | undefined;
  readonly repository: Setting | undefined;
  /** The certificate itself, in PEM format. */
  readonly caCertificate: Setting | undefined;
  readonly insecure: Setting<boolean>;
  readonly timeoutMs: Setting<number>;
  readonly profile: Setting | undefined;
  /** The variables that apply: those of this process, or those of a local server that was found. */
  readonly environment: Environment;
  /** The local server that was found. It must prove its identity before it gets credentials. */
  readonly localServer: LocalServerState | undefined;
}

/** Credentials for Next-Gen SIEM. */
export interface ApiClientSettings {
  readonly id: Setting;
  readonly secret: Setting;
  readonly memberCid: Setting | undefined;
}

const DEFAULT_TIMEOUT_SECONDS = 30;

/** The view of Next-Gen SIEM that contains all events. */
export const DEFAULT_FALCON_REPOSITORY = { value: 'search-all', origin: 'default' };

/**
 * Resolves each setting: flags override a profile that is set with `--profile`, which overrides the environment, which
 * overrides any other profile, which overrides the default. Without any of them, a local server that runs on this
 * computer replaces the environment.
 *
 * @throws CommandFailure for a file that can't be read, an unknown profile, or settings that contradict each other.
 */
export async function resolveConnection(
  flags: ConnectionFlags & { readonly quiet?: boolean },
  environment: Environment = process.env,
): Promise<ConnectionSettings> {
  const named = fromFlag('--profile', flags.profile);
  const profile = named ?? environmentSetting(environment, 'profile');
  const kept = await readProfile(profile, flags.config, environment);
  const fromFlags = await flagSource(flags);
  // A local server can have several repositories.
  const destination = [{ ...fromFlags, repository: undefined }, kept].flatMap((source) =>
    Object.values(source),
  );
  const isSet = destination.some((setting) => setting !== undefined);
  const server = isSet || !canDiscover(environment) ? undefined : await respondingLocalServer();
  if (flags.quiet !== true && server !== undefined && server.url !== announced)
    writeNote(discoverySentence(server));
  announced = flags.quiet === true ? announced : server?.url;
  const effective =
    server === undefined ? environment : { ...server.variables, ...generalVariables(environment) };
  const origin = server && 'local server';
  const found = server && (await environmentSource(server.variables, origin));
  const own = await environmentSource(server ? generalVariables(environment) : environment);
  const below = named === undefined ? [own, found ?? {}, kept] : [kept, own, found ?? {}];
  const settings = connectionFrom([fromFlags, ...below], flags);
  // An ingest token belongs to an address: that of a profile which was named is another one.
  const isOfProfile = named !== undefined || (profile !== undefined && settings.url === kept.url);
  const ingestToken = isOfProfile ? undefined : environmentSetting(effective, 'ingestToken', origin);
  return { ...settings, ingestToken, profile, environment: effective, localServer: server };
}

/** The local server that was reported last: a command can resolve its settings several times. */
let announced: string | undefined;

/** Resolves each setting from sources in order of precedence. @throws CommandFailure if they contradict each other. */
export function connectionFrom(
  sources: readonly Source[],
  { timeout }: Pick<ConnectionFlags, 'timeout'>,
): ConnectionSettings {
  const first = (name: keyof Source): Setting | undefined =>
    sources.map((source) => source[name]).find((setting) => setting !== undefined);
  const service = serviceOf(sources);
  const isFalcon = service === 'ngsiem';
  const insecure = first('insecure') ?? { value: '', origin: 'default' };
  return {
    service,
    url: isFalcon ? falconUrl(sources) : (first('url') ?? { value: DEFAULT_URL, origin: 'default' }),
    token: isFalcon ? undefined : first('token'),
    client: isFalcon ? apiClient(first) : undefined,
    ingestToken: undefined,
    repository: first('repository') ?? (isFalcon ? DEFAULT_FALCON_REPOSITORY : undefined),
    caCertificate: first('caCertificate'),
    insecure: { ...insecure, value: isOn(insecure.value) },
    timeoutMs:
      timeout === undefined
        ? { value: DEFAULT_TIMEOUT_SECONDS * 1000, origin: 'default' }
        : { value: timeout * 1000, origin: '--timeout' },
    profile: undefined,
    environment: {},
    localServer: undefined,
  };
}

/** The first source with credentials decides. @throws CommandFailure if it has both kinds. */
function serviceOf(sources: readonly Source[]): ServiceKind {
  for (const { token, clientId, clientSecret, cloud } of sources) {
    // FALCON_CLOUD may be set for another program.
    const isChosen = cloud?.origin.startsWith('--') === true;
    const falcon = clientId ?? clientSecret ?? (isChosen ? cloud : undefined);
    if (token !== undefined && falcon !== undefined) {
      throw usageFailure(
        `${falcon.origin} is for Next-Gen SIEM and ${token.origin} for LogScale. Set only one of them, or pass --profile <name>.`,
      );
    }
    if (falcon !== undefined) return 'ngsiem';
    if (token !== undefined) return 'logscale';
  }
  return 'logscale';
}

/** @throws CommandFailure if a source sets both the address and the cloud, or the cloud is unknown. */
function falconUrl(sources: readonly Source[]): Setting {
  for (const { falconUrl: url, cloud } of sources) {
    if (url !== undefined && cloud !== undefined) {
      throw usageFailure(`${cloud.origin} and ${url.origin} can't be combined; set only one.`);
    }
    if (url !== undefined) return url;
    if (cloud !== undefined) return cloudUrl(cloud);
  }
  return cloudUrl(undefined);
}

/** The address of a CrowdStrike cloud. @throws CommandFailure for an unknown name */
function cloudUrl(setting: Setting | undefined): Setting {
  const { value, origin } = setting ?? { value: DEFAULT_CLOUD, origin: 'default' };
  const cloud = CLOUDS.find((each) => each === value.toLowerCase());
  if (cloud !== undefined) return { value: CLOUD_ORIGINS[cloud], origin };
  throw usageFailure(
    `${origin} must be one of ${CLOUDS.join(', ')} (got ${value.slice(0, 40)}). For another cloud, set the address of its API with --url.`,
  );
}

/** @throws CommandFailure if one of the two is missing. */
function apiClient(first: (name: keyof Source) => Setting | undefined): ApiClientSettings {
  const [id, secret] = [first('clientId'), first('clientSecret')];
  if (id === undefined) {
    throw usageFailure('no API client ID is set. Pass --client-id <id> or set FALCON_CLIENT_ID.');
  }
  if (secret === undefined) {
    throw usageFailure(
      'no API client secret is set. Pass --client-secret-file <path> or set FALCON_CLIENT_SECRET.',
    );
  }
  return { id, secret, memberCid: first('memberCid') };
}

/** The settings in the flags. @throws CommandFailure for flags that contradict each other, or a file that can't be read. */
export async function flagSource(flags: ConnectionFlags): Promise<Source> {
  const url = fromFlag('--url', flags.url);
  return {
    url,
    falconUrl: url,
    token: await (flags.token === undefined
      ? secretIn('--token-file', flags.tokenFile)
      : secretOf('--token', flags.token)),
    clientId: fromFlag('--client-id', flags.clientId),
    clientSecret: await secretIn('--client-secret-file', flags.clientSecretFile),
    memberCid: fromFlag('--member-cid', flags.memberCid),
    cloud: fromFlag('--cloud', flags.cloud),
    repository: fromFlag('--repository', flags.repository),
    caCertificate: await certificateIn(fromFlag('--ca-file', flags.caFile)),
    insecure: flags.insecure === true ? { value: 'true', origin: '--insecure' } : undefined,
  };
}

async function environmentSource(environment: Environment, origin?: string): Promise<Source> {
  const names = Object.keys(VARIABLES) as (keyof typeof VARIABLES)[];
  const all = Object.fromEntries(names.map((name) => [name, environmentSetting(environment, name, origin)]));
  const caCertificate = (await certificateIn(all.caFile)) ?? all.caCertificate;
  return { ...all, url: all.baseUrl, token: all.userToken, caCertificate };
}

function fromFlag(origin: string, value: string | undefined): Setting | undefined {
  if (value === undefined) return undefined;
  if (value.trim() !== '') return { value: value.trim(), origin };
  throw usageFailure(`${origin} is empty. Pass a value or omit the flag.`);
}

function secretIn(flag: string, file: string | undefined): Promise<Setting> | undefined {
  return file === undefined ? undefined : secretOf(flag, file, file);
}

async function certificateIn(file: Setting | undefined): Promise<Setting | undefined> {
  if (file === undefined) return undefined;
  const value = await readTextFile(file.origin, file.value);
  if (!value.includes('-----BEGIN')) throw usageFailure(`${file.origin}: ${file.value} is not a PEM file.`);
  return { value, origin: `${file.origin} ${file.value}` };
}
