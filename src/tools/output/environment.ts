import type { Setting } from './setting.ts';

/**
 * The environment variables of each setting; the first one that is set applies. Variables of humioctl and other tools
 * come last.
 */
export const VARIABLES = {
  url: ['LOGSCALE_URL', 'LOGSCALE_BASE_URL', 'HUMIO_ADDRESS', 'HUMIO_BASE_URL'],
  token: ['LOGSCALE_TOKEN', 'LOGSCALE_API_TOKEN', 'HUMIO_TOKEN'],
  ingestToken: ['LOGSCALE_INGEST_TOKEN'],
  ingestUrl: ['LOGSCALE_INGEST_URL'],
  format: ['LOGSCALE_FORMAT'],
  repository: ['LOGSCALE_REPOSITORY'],
  clientId: ['FALCON_CLIENT_ID'],
  clientSecret: ['FALCON_CLIENT_SECRET'],
  memberCid: ['FALCON_MEMBER_CID'],
  cloud: ['FALCON_CLOUD'],
  falconUrl: ['FALCON_BASE_URL'],
  profile: ['LOGSCALE_PROFILE'],
  caFile: ['LOGSCALE_CA_FILE'],
  caCertificate: ['HUMIO_CA_CERTIFICATE'],
  insecure: ['LOGSCALE_INSECURE', 'HUMIO_INSECURE'],
} as const;

/** The address if none is set. */
export const DEFAULT_URL = 'http://localhost:3000';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A setting from the environment; an empty variable counts as unset. */
export function environmentSetting(
  environment: Environment,
  setting: keyof typeof VARIABLES,
): Setting | undefined {
  for (const name of VARIABLES[setting]) {
    const value = environment[name]?.trim();
    if (value !== undefined && value !== '') return { value, origin: name };
  }
  return undefined;
}
