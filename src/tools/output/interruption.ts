import { once } from 'node:events';
import { constants } from 'node:os';
import { EXIT_SIGNALED } from './exit-code.ts';

/** The command received SIGINT, SIGTERM or SIGHUP. */
export class Interrupted extends Error {
  readonly exitCode: number;
  /** Whether the user pressed Ctrl-C, which is the normal end of a command without an end of its own. */
  readonly isCtrlC: boolean;

  constructor(signal: NodeJS.Signals) {
    super('Interrupted.');
    this.name = 'Interrupted';
    this.exitCode = EXIT_SIGNALED + constants.signals[signal];
    this.isCtrlC = signal === 'SIGINT';
  }
}

let interrupting: AbortController | undefined;

/** Aborts on the first of these signals, so that the command can clean up on the service. */
export function interruptSignal(): AbortSignal {
  interrupting ??= listen(new AbortController());
  return interrupting.signal;
}

/** Forgets the signals of a command that has ended, so that the next one in this process can run. */
export function forgetInterruption(): void {
  interrupting = undefined;
}

/** Ends a command that runs until Ctrl-C. @throws what stopped it, unless nothing or Ctrl-C did */
export function throwUnlessCtrlC({ aborted, reason }: AbortSignal): void {
  if (aborted && !(reason instanceof Interrupted && reason.isCtrlC)) throw reason;
}

/** Resolves on the first of these signals, for commands that run until then. */
export async function untilInterrupted(): Promise<void> {
  const signal = interruptSignal();
  if (!signal.aborted) await once(signal, 'abort');
}

function listen(controller: AbortController): AbortController {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(name, () => {
      // A second signal exits at once, in case the cleanup hangs.
      process.once(name, () => process.exit(new Interrupted(name).exitCode));
      controller.abort(new Interrupted(name));
    });
  }
  return controller;
}
