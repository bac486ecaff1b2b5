import { EXIT_INTERRUPTED, EXIT_TERMINATED } from './exit-code.ts';

/** Somebody wants the command to end: Ctrl-C, a service manager, a terminal that closes. */
export class Interrupted extends Error {
  readonly exitCode: number;

  constructor(signal: NodeJS.Signals) {
    super('Interrupted.');
    this.name = 'Interrupted';
    this.exitCode = signal === 'SIGINT' ? EXIT_INTERRUPTED : EXIT_TERMINATED;
  }
}

let interrupting: AbortController | undefined;

/** A signal that aborts when the command is asked to end, so that it can leave nothing behind on the service. */
export function interruptSignal(): AbortSignal {
  interrupting ??= listen(new AbortController());
  return interrupting.signal;
}

function listen(controller: AbortController): AbortController {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(name, () => {
      // A second one ends the process at once: the cleaning up may have got stuck.
      process.once(name, () => process.exit(EXIT_INTERRUPTED));
      controller.abort(new Interrupted(name));
    });
  }
  return controller;
}
