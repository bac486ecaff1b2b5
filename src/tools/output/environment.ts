import { type Environment, VARIABLES } from '../../core/environment.ts';
import type { Setting } from './setting.ts';

export { type Environment, VARIABLES } from '../../core/environment.ts';

/** The address if none is set. */
export const DEFAULT_URL = 'http://localhost:3000';

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
