import { EventEmitter } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { DeliveryEmitter } from '../../../src/ingest/report/delivery-emitter.ts';
import { NO_RECORDS } from '../../../src/ingest/report/ingester-stats.ts';

const failing = (): never => {
  throw new Error('thrown on purpose');
};

describe('DeliveryEmitter', () => {
  it('calls the hook and emits the event on the stream', () => {
    const emitter = new EventEmitter();
    const onDrop = vi.fn();
    const listener = vi.fn();
    emitter.on('drop', listener);
    const value = { reason: 'overflow', records: 1 } as const;
    new DeliveryEmitter(emitter, { hooks: { onDrop } }).emit({ name: 'drop', value });
    expect(onDrop).toHaveBeenCalledExactlyOnceWith(value);
    expect(listener).toHaveBeenCalledExactlyOnceWith(value);
  });

  it('survives hooks and listeners that throw, and warns once', () => {
    const emitter = new EventEmitter();
    const onWarning = vi.fn(failing);
    const announcer = new DeliveryEmitter(emitter, {
      hooks: { onDrop: failing, onWarning, onRecovered: failing },
    });
    for (const name of ['drop', 'warn', 'recovered', 'stats']) emitter.on(name, failing);
    announcer.emit({ name: 'drop', value: { reason: 'overflow', records: 1 } });
    announcer.emit({ name: 'recovered', value: { outageMs: 1, failedAttempts: 1 } });
    announcer.emit({ name: 'stats', value: NO_RECORDS });
    expect(onWarning.mock.calls).toEqual([
      [{ kind: 'internal', message: expect.stringContaining('"drop" failed: thrown on purpose') }],
    ]);
  });

  it('survives hooks that reject, and warns once', async () => {
    const rejecting = async (): Promise<never> => failing();
    const onWarning = vi.fn(rejecting);
    const hooks = { onDrop: rejecting, onWarning, onRecovered: rejecting };
    const announcer = new DeliveryEmitter(new EventEmitter(), { hooks });
    announcer.emit({ name: 'drop', value: { reason: 'overflow', records: 1 } });
    announcer.emit({ name: 'recovered', value: { outageMs: 1, failedAttempts: 1 } });
    await expect
      .poll(() => onWarning.mock.calls)
      .toEqual([
        [{ kind: 'internal', message: expect.stringContaining('"drop" failed: thrown on purpose') }],
      ]);
  });
});
