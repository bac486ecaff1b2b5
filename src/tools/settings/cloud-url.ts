import { CLOUDS, cloudOrigin, DEFAULT_CLOUD } from '../../core/http/falcon/clouds.ts';
import { usageFailure } from '../output/command-failure.ts';
import type { Setting } from '../output/setting.ts';

export { DEFAULT_CLOUD };

/** The address of a CrowdStrike cloud. @throws CommandFailure for an unknown name */
export function cloudUrl(setting: Setting | undefined): Setting {
  const { value, origin } = setting ?? { value: DEFAULT_CLOUD, origin: 'default' };
  const cloud = CLOUDS.find((each) => each === value.toLowerCase());
  if (cloud !== undefined) return { value: cloudOrigin(cloud), origin };
  throw usageFailure(
    `${origin} must be one of ${CLOUDS.join(', ')} (got ${value.slice(0, 40)}). For another cloud, set the address of its API with --url.`,
  );
}
