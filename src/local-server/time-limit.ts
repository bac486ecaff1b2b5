import { type Context, createContext, Script } from 'node:vm';

let limited: { readonly context: Context; readonly script: Script } | undefined;

/**
 * Runs `action`, and stops it where it stands when it takes longer than `limitMs`, even inside a regular expression.
 * Costs about a tenth of a millisecond.
 *
 * @throws what `action` throws, or an error with the code that {@link isOverTime} looks for.
 */
export function runWithin<Result>(limitMs: number, action: () => Result): Result {
  limited ??= { context: createContext({}), script: new Script('action()') };
  const { context, script } = limited;
  context.action = action;
  try {
    return script.runInContext(context, { timeout: limitMs });
  } finally {
    context.action = undefined;
  }
}

/** Whether an error says that an action was stopped. */
export function isOverTime(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
