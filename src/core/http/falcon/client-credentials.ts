import { environmentName, fromEnvironment, requireSetting } from '../../environment.ts';
import { LogOptionsException } from '../../errors.ts';
import { describe, requireOptions, requireText, requireToken, resolveOptions } from '../../option-checks.ts';
import { parseAddress } from '../base-url.ts';
import { CLOUD_ORIGINS, CLOUDS, DEFAULT_CLOUD, type FalconCloud } from './clouds.ts';

/** An API client of the CrowdStrike Falcon console. */
export interface ClientCredentials {
  /** ID of the API client. @default FALCON_CLIENT_ID from the environment */
  clientId?: string | undefined;
  /** Secret of the API client. @default FALCON_CLIENT_SECRET from the environment */
  clientSecret?: string | undefined;
  /** ID of the member account (CID), in Falcon Flight Control. @default FALCON_MEMBER_CID from the environment */
  memberCid?: string | undefined;
  /** Address that issues access tokens. @default `/oauth2/token` on the origin of `baseUrl` */
  tokenUrl?: string | URL | undefined;
}

export type ResolvedCredentials = ReturnType<typeof resolveCredentials>;

/** Path of the API of Next-Gen SIEM on the origin of a cloud. */
const API_PATH = '/humio/';

/** @throws LogOptionsException */
export function resolveCredentials(owner: string, auth: ClientCredentials = {}) {
  const member = `${owner}: "auth"`;
  requireOptions(member, auth);
  const { tokenUrl, memberCid = fromEnvironment('memberCid') } = auth;
  const token = (name: 'clientId' | 'clientSecret') => (): string =>
    requireToken(member, name, requireSetting(member, name, auth[name]));
  return Object.freeze(
    resolveOptions(member, auth, {
      clientId: token('clientId'),
      clientSecret: token('clientSecret'),
      memberCid: () =>
        memberCid === undefined ? undefined : requireText(member, 'memberCid', memberCid).trim(),
      tokenUrl: () => (tokenUrl === undefined ? undefined : parseAddress(owner, '"tokenUrl"', tokenUrl)),
    }),
  );
}

/**
 * Address of the API: from the options, else the environment, else the cloud us-1, which redirects to the cloud of the
 * API client.
 *
 * @throws LogOptionsException
 */
export function resolveFalconAddress(
  owner: string,
  { baseUrl, cloud }: { baseUrl?: string | URL | undefined; cloud?: FalconCloud | undefined },
): URL {
  if (baseUrl !== undefined) return apiUrl(parseAddress(owner, '"baseUrl"', baseUrl));
  if (cloud !== undefined) return cloudUrl(owner, '"cloud"', cloud);
  const [cloudVariable, urlVariable] = [fromEnvironment('cloud'), fromEnvironment('falconUrl')];
  const names = [environmentName('cloud'), environmentName('falconUrl')] as const;
  if (cloudVariable !== undefined && urlVariable !== undefined) {
    throw new LogOptionsException(`${owner}: ${names.join(' and ')} are both set. Unset one of them.`);
  }
  if (urlVariable !== undefined) return apiUrl(parseAddress(owner, names[1], urlVariable));
  return cloudUrl(owner, names[0], cloudVariable?.toLowerCase() ?? DEFAULT_CLOUD);
}

function cloudUrl(owner: string, source: string, name: string): URL {
  const cloud = CLOUDS.find((each) => each === name);
  if (cloud !== undefined) return new URL(API_PATH, CLOUD_ORIGINS[cloud]);
  throw new LogOptionsException(
    `${owner}: ${source} must be one of ${CLOUDS.join(', ')} (got ${describe(name)}). For another cloud, set the address of its API instead.`,
  );
}

function apiUrl(url: URL): URL {
  return url.pathname === '/' ? new URL(API_PATH, url) : url;
}
