import type { EventEmitter } from 'node:events';
import { systemClock } from '../../internal/clock.ts';
import { callHook } from '../../internal/hook-call.ts';
import { safeText } from '../record/safe-json.ts';
import type { DeliveryEvent, Drop } from './delivery-event.ts';
import type { Recovery } from './delivery-observer.ts';
import type { Warning } from './warning.ts';
import { Warnings } from './warnings.ts';

/** Hooks of a transport that delivers from a worker. They run on the main thread. */
export interface DeliveryHooks {
  /** Called with the reason for a drop and the number of dropped records. */
  readonly onDrop?: ((drop: Drop) => void) | undefined;
  /** Called with each warning, which is then not written to stderr. */
  readonly onWarning?: ((warning: Warning) => void) | undefined;
  /** Called when delivery resumes after failed attempts. */
  readonly onRecovered?: ((recovery: Recovery) => void) | undefined;
}

export interface DeliveryEmitterOptions {
  /** To be called with what is announced; none where the ingester calls them itself. */
  readonly hooks?: DeliveryHooks;
  /** The hook that the ingester calls itself, for the warnings of this thread. */
  readonly onWarning?: ((warning: Warning) => void) | undefined;
}

function ignoreWarning(): void {}

/**
 * Passes on to the program what a delivery tells: to its hooks, and to those who listen to its stream. Neither can do
 * harm by throwing.
 */
export class DeliveryEmitter {
  /** For what happens in this thread. It is announced as well. */
  readonly warnings: Warnings;
  /** A stream that nobody refers to any more must be able to go. */
  readonly #emitter: WeakRef<EventEmitter>;
  readonly #hooks: DeliveryHooks;

  constructor(emitter: EventEmitter, { hooks = {}, onWarning }: DeliveryEmitterOptions = {}) {
    this.#emitter = new WeakRef(emitter);
    this.#hooks = hooks;
    this.warnings = new Warnings(systemClock, this.stderrSubstitute ?? onWarning, {
      warned: (value) => this.emit({ name: 'warn', value }),
    });
  }

  /** What those who announce their warnings take for their own hook, so that a warning is told once. */
  get stderrSubstitute(): (() => void) | undefined {
    return this.#hooks.onWarning === undefined ? undefined : ignoreWarning;
  }

  /** Never throws. */
  emit(event: DeliveryEvent): void {
    this.#attempt(event, () => this.#callHook(event));
    this.#attempt(event, () => this.#emitter.deref()?.emit(event.name, event.value));
  }

  #callHook(event: DeliveryEvent): unknown {
    const { onDrop, onWarning, onRecovered } = this.#hooks;
    if (event.name === 'drop') return onDrop?.(event.value);
    if (event.name === 'warn') return onWarning?.(event.value);
    return event.name === 'recovered' ? onRecovered?.(event.value) : undefined;
  }

  #attempt({ name }: DeliveryEvent, call: () => unknown): void {
    callHook(call, (error) => {
      if (name === 'warn') return; // The warning about it would go the same way.
      this.warnings.report('internal', () => `A listener for "${name}" failed: ${safeText(error)}`);
    });
  }
}
