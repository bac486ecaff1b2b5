import type { EventEmitter } from 'node:events';
import { callHook } from '../../core/hook-call.ts';
import { RecordRedactor } from '../record/record-redactor.ts';
import { safeText } from '../record/safe-json.ts';
import type { ResolvedRedactOptions } from '../redact-options.ts';
import { realWorld } from '../world.ts';
import type { DeliveryEvent, Drop, Recovery } from './delivery-event.ts';
import { markTransport } from './transport-mark.ts';
import type { Warning } from './warning.ts';
import { Warnings, type WarningsOptions } from './warnings.ts';

/** Hooks of a transport that delivers from a worker. They run on the main thread. */
export interface DeliveryHooks {
  /** Called with the reason for a drop and the number of dropped records. */
  readonly onDrop?: ((drop: Drop) => void) | undefined;
  /** Called with each warning, which is then not written to stderr. */
  readonly onWarning?: ((warning: Warning) => void) | undefined;
  /** Called when delivery resumes after failed attempts. */
  readonly onRecovered?: ((recovery: Recovery) => void) | undefined;
}

/** The warnings are those of this thread. */
export interface DeliveryEmitterOptions extends Pick<WarningsOptions, 'onWarning'> {
  /** Called with each event. @default none: the pipeline calls the hooks itself */
  readonly hooks?: DeliveryHooks;
  /** Applied to the warnings of this thread. */
  readonly redact?: ResolvedRedactOptions | undefined;
  readonly connection?: { readonly baseUrl: URL };
}

/** Passes delivery events to the program: to its hooks, and to listeners of its transport. Survives if these throw. */
export class DeliveryEmitter {
  /** Warnings of this thread, which are also emitted. */
  readonly warnings: Warnings;
  /** Does not keep the transport from garbage collection. */
  readonly #emitter: WeakRef<EventEmitter>;
  readonly #hooks: DeliveryHooks;

  constructor(emitter: EventEmitter, options: DeliveryEmitterOptions = {}) {
    const { hooks = {}, onWarning, redact, connection } = options;
    if (connection !== undefined) markTransport(emitter, connection.baseUrl.origin);
    this.#emitter = new WeakRef(emitter);
    this.#hooks = hooks;
    const redactText = redact && ((text: string): string => new RecordRedactor(redact).redactText(text));
    const onEvent = (event: DeliveryEvent): void => this.emit(event);
    this.warnings = new Warnings({ world: realWorld, onWarning, redactText, onEvent });
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
      if (name === 'warn') return; // The warning about it would fail, too.
      this.warnings.report('internal', () => `A listener for "${name}" failed: ${safeText(error)}`);
    });
  }
}
