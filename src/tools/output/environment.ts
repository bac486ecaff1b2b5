import { type Environment, isSet, VARIABLES } from '../../core/environment.ts';
import type { Setting } from './setting.ts';

/** A setting from the environment; an empty variable counts as unset. */
export function environmentSetting(
  environment: Environment,
  setting: keyof typeof VARIABLES,
): Setting | undefined {
  const origin = VARIABLES[setting].find((name) => isSet(environment, name));
  return origin === undefined ? undefined : { value: environment[origin]!.trim(), origin };
}
