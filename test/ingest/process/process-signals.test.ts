import { afterEach, describe, expect, it } from 'vitest';
import { LogOptionsException } from '../../../src/core/errors.ts';
import { Ingester } from '../../../src/ingest/ingester.ts';
import { resolveFlushSignals, watchSignals } from '../../../src/ingest/process/process-signals.ts';
import { flushOnSignals } from '../../../transports/pino/flush-on-signals.ts';
import { resolvePinoTransportOptions } from '../../../transports/pino/pino-options.ts';
import { startDelivery } from '../../helpers/delivery.ts';

/** A listener that records its calls. */
function recorder() {
  const calls: string[] = [];
  const listener = {
    flush: async () => void calls.push('flush'),
    endDelivery: async () => void calls.push('end'),
  };
  return { calls, listener };
}

const endings: (() => void)[] = [];

afterEach(() => {
  for (const end of endings.splice(0)) end();
});

describe('Signal listeners', () => {
  const count = (): number => process.listenerCount('SIGHUP');

  it('share one process listener per signal, which is removed with the last of them', () => {
    const before = count();
    const unwatchFirst = watchSignals(recorder().listener, ['SIGHUP']);
    const unwatchSecond = watchSignals(recorder().listener, ['SIGHUP']);
    expect(count()).toBe(before + 1);
    unwatchFirst();
    unwatchFirst();
    expect(count()).toBe(before + 1);
    unwatchSecond();
    expect(count()).toBe(before);
  });

  it('are removed when the ingester closes', async () => {
    const { options } = await startDelivery();
    const before = count();
    const ingester = new Ingester({ ...options, flushOnSignals: ['SIGHUP'] });
    expect(count()).toBe(before + 1);
    await ingester.close();
    expect(count()).toBe(before);
  });

  it('run before a once() listener that the program added earlier', async () => {
    const { calls, listener } = recorder();
    const own = (): void => void calls.push('own');
    process.once('SIGHUP', own);
    endings.push(() => process.off('SIGHUP', own));
    endings.push(watchSignals(listener, ['SIGHUP']));
    process.emit('SIGHUP', 'SIGHUP');
    // Closing everything would end this process.
    expect(calls).toEqual(['flush', 'own']);
  });
});

describe('flushOnSignals option', () => {
  it('selects SIGTERM and SIGINT by default and with true, none with false, or the listed signals', () => {
    expect(resolveFlushSignals('Ingester', undefined)).toEqual(['SIGTERM', 'SIGINT']);
    expect(resolveFlushSignals('Ingester', false)).toEqual([]);
    expect(resolveFlushSignals('Ingester', true)).toEqual(['SIGTERM', 'SIGINT']);
    expect(resolveFlushSignals('Ingester', ['SIGHUP'])).toEqual(['SIGHUP']);
  });

  it.each(['SIGTERM', ['SIGKILL'], [1], {}, 1])('rejects %j', (value) => {
    expect(() => resolveFlushSignals('Ingester', value)).toThrow(LogOptionsException);
  });

  it("is rejected in pino's worker, which receives no signals", () => {
    expect(() => resolvePinoTransportOptions({ flushOnSignals: true })).toThrow(
      /Call flushOnSignals\(logger\) from logclient\/pino/,
    );
  });
});

describe('flushOnSignals()', () => {
  it.each([{}, { end: 1 }, []])('rejects a target that is not a logger: %j', (target) => {
    expect(() => flushOnSignals(target)).toThrow(LogOptionsException);
  });

  it.each([{ timeoutMs: 0 }, { timeoutMs: 60_000 }, { signals: ['SIGKILL' as 'SIGTERM'] }, { signal: 1 }])(
    'rejects the options %j',
    (options) => {
      expect(() => flushOnSignals({ end() {} }, options)).toThrow(LogOptionsException);
    },
  );

  it('flushes every stream of a multistream if the program has its own signal listener', () => {
    const calls: string[] = [];
    const stream = (name: string) => ({ end() {}, flush: () => calls.push(name) });
    const own = (): void => {};
    process.on('SIGHUP', own);
    endings.push(() => process.off('SIGHUP', own));
    const target = { streams: [{ stream: stream('first') }, { stream: stream('second') }] };
    endings.push(flushOnSignals(target, { signals: ['SIGHUP'] }));
    process.emit('SIGHUP', 'SIGHUP');
    expect(calls).toEqual(['first', 'second']);
  });
});
