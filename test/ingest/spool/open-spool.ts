import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { nodeDisk } from '../../../src/core/disk.ts';
import { createRecord, type IngestRecord } from '../../../src/ingest/record/record.ts';
import { Spool } from '../../../src/ingest/spool/spool.ts';
import {
  resolveSpoolOptions,
  type SpoolOptions,
  type SpoolSettings,
} from '../../../src/ingest/spool/spool-options.ts';

export const DESTINATION = {
  baseUrl: new URL('http://logs.example:3000/'),
  endpoint: 'ingest/humio-structured',
  token: 'secret-token',
};

export const EVERYTHING = { maxRecords: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY };

/** A folder that is deleted at the end of the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'spool-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface OpenedSpool {
  spool: Spool;
  troubles: string[];
  lost: number[];
}

/** A spool that is closed at the end of the test. */
export function openSpool(
  options: SpoolOptions & Partial<Pick<SpoolSettings, 'destination' | 'clock' | 'disk' | 'openBytes'>>,
): OpenedSpool {
  const { destination = DESTINATION, clock = systemClock, disk = nodeDisk, openBytes, ...rest } = options;
  const troubles: string[] = [];
  const lost: number[] = [];
  const spool: Spool = new Spool({
    ...resolveSpoolOptions('test', rest),
    destination,
    clock,
    disk,
    limits: EVERYTHING,
    openBytes: openBytes ?? (() => spool.byteLength),
    onTrouble: (message) => troubles.push(message),
    onLost: (records) => lost.push(records),
  });
  onTestFinished(() => {
    spool.close();
  });
  return { spool, troubles, lost };
}

/** Adopts the records of exited processes. @returns their number. */
export async function adopted(spool: Spool): Promise<number> {
  const before = spool.length;
  await spool.adopt();
  return spool.length - before;
}

export function record(n: number, text = ''): IngestRecord {
  return createRecord(JSON.stringify({ attributes: { n, text } }), '{"app":"test"}');
}

export function records(count: number, first = 0): IngestRecord[] {
  return Array.from({ length: count }, (_, index) => record(first + index));
}

export function pushAll(spool: Spool, pushed: readonly IngestRecord[], nowMs: number): void {
  spool.batchWrites(() => {
    for (const one of pushed) spool.push(one, nowMs);
  });
}

/** The numbers of records created by {@link record}. */
export function numbersOf(taken: readonly IngestRecord[]): number[] {
  return taken.map(({ eventText }) => JSON.parse(eventText).attributes.n);
}

/** The numbers from `first` to `end`, exclusive. */
export function range(first: number, end: number): number[] {
  return Array.from({ length: end - first }, (_, index) => first + index);
}

/** The relative paths of the files in a folder. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !statSync(join(folder, name)).isDirectory())
    .sort();
}

/** The absolute paths of the segments in a folder. */
export function segmentsIn(folder: string): string[] {
  return filesIn(folder)
    .filter((name) => name.endsWith('.log'))
    .map((name) => join(folder, name));
}
