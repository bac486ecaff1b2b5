import pc from 'picocolors';
import type { Environment } from '../../core/environment.ts';
import { severityOf } from '../../core/records/severity.ts';

export type Colors = ReturnType<typeof pc.createColors>;
export type ColorChoice = 'auto' | 'always' | 'never';

/**
 * Whether to use colors, decided by the flag, else `NO_COLOR`, else `FORCE_COLOR` or `CLICOLOR_FORCE`, else whether the
 * output is a terminal with colors.
 */
export function wantsColors(
  isTerminal: boolean,
  choice: ColorChoice = 'auto',
  environment: Environment = process.env,
): boolean {
  if (choice !== 'auto') return choice === 'always';
  const { NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, TERM } = environment;
  if (NO_COLOR) return false;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  if (CLICOLOR_FORCE && CLICOLOR_FORCE !== '0') return true;
  return isTerminal && TERM !== 'dumb';
}

export function createColors(isTerminal: boolean, choice?: ColorChoice): Colors {
  return pc.createColors(wantsColors(isTerminal, choice));
}

/** Whether text is the name of a level. */
export function isLevel(text: string): boolean {
  return severityOf(text) !== 'none' && !/^\d/.test(text);
}

/** Colors a level by its severity. */
export function paintLevel(level: string, text: string, colors: Colors): string {
  const { bold, red, yellow, green, dim } = colors;
  const severity = severityOf(level);
  if (severity === 'fatal') return bold(red(text));
  return ({ error: red, warn: yellow, info: green, debug: dim, trace: dim, none: dim }[severity] ?? dim)(
    text,
  );
}
