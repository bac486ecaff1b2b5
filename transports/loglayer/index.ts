/**
 * The LogLayer transport:
 *
 * ```ts
 * const log = new LogLayer({ transport: new LogTransport({ baseUrl, ingestToken }) });
 * ```
 */
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { requireBoolean, requireOneOf, requireOptions, resolveAll } from '../../src/core/option-checks.ts';
import { EventDelivery } from '../../src/ingest/kit/event-delivery.ts';
import {
  type EventTransportOptions,
  resolveEventTransportOptions,
} from '../../src/ingest/kit/event-transport-options.ts';
import { addFields } from '../../src/ingest/kit/record-fields.ts';
import type { IngestEvent } from '../../src/ingest/record/ingest-event.ts';
import { safeProperty, safeText } from '../../src/ingest/record/safe-json.ts';
import type { DeliveryEvents, EmittedEvents } from '../../src/ingest/report/delivery-event.ts';
import type { IngesterStats } from '../../src/ingest/report/ingester-stats.ts';

export type { LogTransportDrop } from '../../src/ingest/kit/event-transport-options.ts';
export type * from '../../src/ingest/kit/public-types.ts';

/** A level of LogLayer. */
export type LogLayerLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';

/** Lowest first. */
const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const satisfies LogLayerLevel[];

/** Options of {@link LogTransport}: those of the ingester, `worker`, and those of every LogLayer transport. */
export interface LogTransportOptions extends EventTransportOptions {
  /** Name of the transport, for LogLayer's groups and `getLoggerInstance(id)`. @default random */
  id?: string | undefined;
  /** Sends records. @default true */
  enabled?: boolean | undefined;
  /** Lowest level to send. @default 'trace' */
  level?: LogLayerLevel | undefined;
}

/** A record that LogLayer passes to its transports. */
export interface LogLayerRecord {
  readonly logLevel: string;
  readonly messages: readonly unknown[];
  /** Metadata, context and the error, under the field names that LogLayer is configured with. */
  readonly data?: object | undefined;
}

/**
 * Delivers the records of a LogLayer logger to the service. Requires no package of LogLayer. Never throws for delivery
 * failures.
 *
 * Emits `drop`, `warn`, `recovered` and `stats`; see {@link DeliveryEvents}.
 */
export class LogTransport extends EventEmitter<EmittedEvents> {
  /** Name of the transport in LogLayer. */
  readonly id: string;
  /** Sends records. Can be changed at any time. */
  enabled: boolean;
  /** Lowest level to send. Can be changed at any time. */
  level: LogLayerLevel;
  readonly #delivery: EventDelivery<LogLayerRecord>;

  /** @throws LogOptionsException */
  constructor(options: LogTransportOptions = {}) {
    super();
    const owner = 'LogTransport';
    requireOptions(owner, options);
    const { id = randomUUID(), enabled = true, level = 'trace', ...delivery } = options;
    const resolved = resolveAll({
      enabled: () => requireBoolean(owner, 'enabled', enabled),
      level: () => requireOneOf(owner, 'level', level, LEVELS),
      delivery: () => resolveEventTransportOptions(delivery, owner, ['id', 'enabled', 'level']),
    });
    this.id = id;
    this.enabled = resolved.enabled;
    this.level = resolved.level;
    this.#delivery = new EventDelivery(this, resolved.delivery, eventOf);
  }

  /** Counters, with a worker up to 1 s old; exact after `flush` and `close`. They restart when it opens again. */
  get stats(): IngesterStats {
    return this.#delivery.stats;
  }

  /** Called by LogLayer with each record. */
  _sendToLogger(record: LogLayerRecord): void {
    const ignored: readonly string[] = LEVELS.slice(0, LEVELS.indexOf(this.level));
    if (this.enabled && !ignored.includes(record.logLevel)) this.shipToLogger(record);
  }

  /** Adds a record, whatever its level. Returns the messages, as LogLayer requires. */
  shipToLogger(record: LogLayerRecord): unknown[] {
    this.#delivery.add(record);
    return [...record.messages];
  }

  /** This transport, for `log.getLoggerInstance<LogTransport>(id)?.flush()`. */
  getLoggerInstance(): this {
    return this;
  }

  /** Sends queued records, and resolves to whether all are settled: see `Ingester.flush`. Never rejects. */
  flush(): Promise<boolean> {
    return this.#delivery.flush();
  }

  /**
   * Delivers queued records for up to `closeTimeoutMs`, then drops and reports the rest. Never rejects. The transport
   * opens again with the next record.
   */
  close(): Promise<void> {
    return this.#delivery.suspend();
  }

  /** Called by LogLayer when the transport is removed or replaced. Delivers queued records in the background. */
  [Symbol.dispose](): void {
    void this.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** Messages are joined with spaces. Fields named `level` and, beside a message, `message` are kept as `_level` and `_message`. */
function eventOf({ logLevel, messages, data }: LogLayerRecord): IngestEvent {
  const own = { level: logLevel, ...(messages.length > 0 && { message: messages.map(safeText).join(' ') }) };
  const fields: Record<string, unknown> = { ...own };
  if (data !== undefined) addFields(fields, data);
  for (const name of Object.keys(own)) {
    const given = data === undefined || !Object.hasOwn(data, name) ? undefined : safeProperty(data, name);
    if (given !== undefined) fields[`_${name}`] ??= given;
  }
  return { attributes: Object.assign(fields, own) };
}
