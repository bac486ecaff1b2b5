import { EXIT_INTERRUPTED, EXIT_TERMINATED } from './exit-code.ts';

/** The command received SIGINT, SIGTERM or SIGHUP. */
export class Interrupted extends Error {
  readonly exitCode: number;

  constructor(signal: NodeJS.Signals) {
    super('Interrupted.');
    this.name = 'Interrupted';
    this.exitCode = signal === 'SIGINT' ? EXIT_INTERRUPTED : EXIT_TERMINATED;
  }
}

let interrupting: AbortController | undefined;

/** Aborts on the first of these signals, so that the command can clean up on the service. */
export function interruptSignal(): AbortSignal {
  interrupting ??= listen(new AbortController());
  return interrupting.signal;
}

/** Resolves on the first of these signals, for commands that run until then. */
export function untilInterrupted(): Promise<void> {
  const signal = interruptSignal();
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

function listen(controller: AbortController): AbortController {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(name, () => {
      // A second signal exits at once, in case the cleanup hangs.
      process.once(name, () => process.exit(EXIT_INTERRUPTED));
      controller.abort(new Interrupted(name));
    });
  }
  return controller;
}
