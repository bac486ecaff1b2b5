import { type Environment, isSet, VARIABLES } from '../../core/environment.ts';
import { nearestName } from '../../core/nearest-name.ts';
import type { Setting } from './setting.ts';

/** A setting from the environment; an empty variable counts as unset. */
export function environmentSetting(
  environment: Environment,
  setting: keyof typeof VARIABLES,
): Setting | undefined {
  const origin = VARIABLES[setting].find((name) => isSet(environment, name));
  return origin === undefined ? undefined : { value: environment[origin]!.trim(), origin };
}

/** Says which variable another one may mean, for errors about a missing setting. */
export function misspelledVariable(environment: Environment): string {
  const known: readonly string[] = Object.values(VARIABLES).flat();
  const unknown = Object.keys(environment).filter((name) => !known.includes(name));
  const [hint = ''] = unknown.flatMap((name) => {
    if (!/^(?:LOGSCALE|HUMIO|FALCON)_./.test(name)) return [];
    const meant = known.find((each) => each.startsWith(name)) ?? nearestName(name, known, 2);
    return meant === undefined ? [] : `${name} is set: did you mean ${meant}?`;
  });
  return hint;
}
