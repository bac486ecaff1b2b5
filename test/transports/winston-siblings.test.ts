import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import latest from 'winston';
import DailyRotateFile from 'winston-daily-rotate-file';
import { LogTransport } from '../../transports/winston/index.ts';
import { startDelivery } from '../helpers/delivery.ts';
import { useHandClock } from '../helpers/hand-clock.ts';

type Winston = typeof latest;

const { default: winston310 } = (await import('winston-3.10' as string)) as { default: Winston };
const { default: winston313 } = (await import('winston-3.13' as string)) as { default: Winston };
const { default: winston317 } = (await import('winston-3.17' as string)) as { default: Winston };

const VERSIONS: readonly [string, Winston][] = [
  ['3.10', winston310],
  ['3.13', winston313],
  ['3.17', winston317],
  ['the latest version', latest],
];

function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'logclient-winston-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'app.log');
}

/** A transport that never calls back, until it is released. */
function blocked(winston: Winston): { transport: latest.transport; lines: unknown[]; release: () => void } {
  const lines: unknown[] = [];
  const waiting: (() => void)[] = [];
  let isReleased = false;
  const stream = new Writable({
    objectMode: true,
    write(line, _encoding, callback) {
      lines.push(line);
      if (isReleased) callback();
      else waiting.push(callback);
    },
  });
  const transport = new winston.transports.Stream({ stream });
  const release = (): void => {
    isReleased = true;
    for (const callback of waiting.splice(0)) callback();
  };
  return { transport, lines, release };
}

/** A winston transport whose `log` calls back when it is released: after 16 records, the logger keeps all others. */
function slow(winston: Winston) {
  const { Transport } = winston as unknown as { Transport: new (options: object) => latest.transport };
  const infos: Record<string | symbol, unknown>[] = [];
  const waiting: (() => void)[] = [];
  let isReleased = false;
  const transport = new Transport({
    log(info: Record<string, unknown>, callback: () => void) {
      infos.push(info);
      if (isReleased) callback();
      else waiting.push(callback);
    },
  });
  const release = (): void => {
    isReleased = true;
    for (const callback of waiting.splice(0)) callback();
  };
  return { transport, infos, release };
}
