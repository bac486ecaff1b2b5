/** Origins of the CrowdStrike clouds, by name. */
export const CLOUD_ORIGINS = {
  'us-1': 'https://api.crowdstrike.com',
  'us-2': 'https://api.us-2.crowdstrike.com',
  'eu-1': 'https://api.eu-1.crowdstrike.com',
  'us-gov-1': 'https://api.laggar.gcw.crowdstrike.com',
} as const;

/** Name of a CrowdStrike cloud. */
export type FalconCloud = keyof typeof CLOUD_ORIGINS;

export const CLOUDS = Object.keys(CLOUD_ORIGINS) as FalconCloud[];

export const DEFAULT_CLOUD: FalconCloud = 'us-1';

/** The cloud with this API address. */
export function cloudAt(origin: string): FalconCloud | undefined {
  return CLOUDS.find((cloud) => CLOUD_ORIGINS[cloud] === origin);
}

/** The region in `X-Cs-Region`, which may be an unknown cloud. */
export function regionOf(response: { header(name: string): string | undefined }): string | undefined {
  return response.header('x-cs-region')?.trim().toLowerCase() || undefined;
}

/** The cloud in a response: its region, or the target of a redirect. */
export function cloudOf(response: { header(name: string): string | undefined }): FalconCloud | undefined {
  const region = regionOf(response);
  if (region !== undefined) return CLOUDS.find((cloud) => cloud === region);
  const location = response.header('location') ?? '';
  return URL.canParse(location) ? cloudAt(new URL(location).origin) : undefined;
}
