import { type Environment, isSet, VARIABLES } from '../../core/environment.ts';
import type { Setting } from './setting.ts';

/** A setting from the environment; an empty variable counts as unset. @param origin default: the variable */
export function environmentSetting(
  environment: Environment,
  setting: keyof typeof VARIABLES,
  origin?: string,
): Setting | undefined {
  const name = VARIABLES[setting].find((each) => isSet(environment, each));
  return name === undefined ? undefined : { value: environment[name]!.trim(), origin: origin ?? name };
}
