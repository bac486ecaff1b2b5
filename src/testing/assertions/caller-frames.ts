import { isError } from '../../core/is-error.ts';

/**
 * Runs an assertion. Its errors get the stack of the test, because asynchronous stacks end in this package.
 *
 * @param callee the function that the test called; it must be running
 * @param run receives the stack frames below that function
 */
export async function withCallerFrames<Result>(
  callee: object,
  run: (frames: string) => Promise<Result>,
): Promise<Result> {
  const holder = { stack: '' };
  Error.captureStackTrace(holder, callee as () => unknown);
  const frames = holder.stack.replace(/^.*\n/, '');
  try {
    return await run(frames);
  } catch (error) {
    throw withFrames(error, frames);
  }
}

export function withFrames<Thrown>(error: Thrown, frames: string): Thrown {
  if (isError(error)) error.stack = `${error}\n${frames}`;
  return error;
}
