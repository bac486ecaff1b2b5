import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Ingester } from '../../../src/ingest/ingester.ts';
import type { IngesterOptions } from '../../../src/ingest/options.ts';
import { startLocalServer } from '../../../src/server/index.ts';
import { cases } from '../../helpers/laws.ts';

const NOW = Date.UTC(2026, 1, 3, 9);

async function startServer() {
  const server = await startLocalServer({ now: NOW });
  onTestFinished(() => server.close());
  const { url: baseUrl, ingestToken } = server;
  const open = (options: IngesterOptions = {}): Ingester =>
    new Ingester({ baseUrl, ingestToken, onWarning: () => {}, minRetryDelayMs: 1, ...options });
  return { server, open };
}

const goodEvent = fc
  .record({ timestamp: fc.constant(NOW), attributes: fc.record({ id: fc.uuid(), text: fc.string() }) })
  .map((event) => ({ event, id: event.attributes.id }));
const goodText = fc.tuple(goodEvent, fc.constantFrom(0, 2)).map(([{ event, id }, indent]) => ({
  text: JSON.stringify(event, null, indent),
  id,
}));
const cutAtWord = fc
  .tuple(goodText, fc.nat({ max: 40 }))
  .map(([{ text }, length]) => ({ text: text.slice(0, length), id: undefined }));
const anyText = fc
  .tuple(fc.constantFrom('', '{', ' {"', '[{"tags":{},"events":['), fc.string({ unit: 'grapheme' }))
  .map(([start, rest]) => ({ text: `${start}${rest}`, id: undefined }));

const WAYS = [
  ['memory', 'structured'],
  ['spool', 'structured'],
  ['memory', 'hec'],
  ['spool', 'hec'],
] as const;

describe.each(WAYS)('addText() through %s with format %s', (from, format) => {
  it('delivers every text or counts it as rejected, and delivers all valid events', async () => {
    const { server, open } = await startServer();
    const directory = mkdtempSync(join(tmpdir(), 'logclient-texts-'));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(goodText, cutAtWord, anyText), { maxLength: 12 }),
        fc.integer({ min: 1, max: 12 }),
        fc.boolean(),
        async (texts, maxBatchRecords, batchIds) => {
          const storedBefore = server.inspect.store().events;
          const ingester = open({
            ...{ format, maxBatchRecords, batchIds },
            ...(from === 'spool' ? { spool: { directory } } : {}),
          });
          for (const { text } of texts) ingester.addText(text);
          await ingester.flush();
          await ingester.close();
          const { accepted, delivered, dropped } = ingester.stats;
          expect(accepted).toBe(texts.length);
          expect(delivered + dropped.rejected).toBe(accepted);
          expect(server.inspect.store().events - storedBefore).toBe(delivered);
          const stored = new Set(server.inspect.events().map(({ id }) => id));
          expect(texts.filter(({ id }) => id !== undefined && !stored.has(id))).toEqual([]);
        },
      ),
      cases(5),
    );
  });

  it('delivers text that is not a JSON object as @rawstring', async () => {
    const { server, open } = await startServer();
    const ingester = open({ format });
    for (const text of ['not json', '"a string"', '[1]']) ingester.addText(text);
    ingester.addText(`  {"timestamp":${Date.now() + 1_000},"attributes":{"n":1.50}}`);
    await ingester.close();
    expect(ingester.stats).toMatchObject({ accepted: 4, delivered: 4 });
    expect(server.inspect.events().map((event) => event['@rawstring'])).toEqual([
      'not json',
      '"a string"',
      '[1]',
      expect.stringContaining('1.50'),
    ]);
  });

  it('delivers empty text, which only an event collector rejects', async () => {
    const { server, open } = await startServer();
    const ingester = open({ format });
    for (const text of ['before', '', 'after']) ingester.addText(text);
    await ingester.close();
    const isRejected = format === 'hec';
    expect(ingester.stats).toMatchObject({
      delivered: isRejected ? 2 : 3,
      dropped: { rejected: isRejected ? 1 : 0 },
    });
    expect(server.inspect.events().map((event) => event['@rawstring'])).toEqual(
      isRejected ? ['before', 'after'] : ['before', '', 'after'],
    );
  });
});

it('events are never rejected because of their timestamp', async () => {
  const { server, open } = await startServer();
  const two = (max: number): fc.Arbitrary<string> =>
    fc.nat({ max }).map((number) => String(number).padStart(2, '0'));
  const offset = fc.oneof(fc.constant('Z'), fc.tuple(fc.constantFrom('+', '-'), two(19), two(60)));
  const instant = fc
    .tuple(
      fc.constantFrom('0000', '0001', '1969', '1970', '2024', '2026'),
      two(13),
      two(32),
      two(25),
      two(61),
      offset,
    )
    .map(([year, month, day, hour, minute, zone]) => {
      const [sign, hours, minutes] = zone;
      return `${year}-${month}-${day}T${hour}:${minute}${zone === 'Z' ? zone : `${sign}${hours}:${minutes}`}`;
    });
  const timestamp = fc.oneof(instant, fc.double(), fc.maxSafeInteger(), fc.date(), fc.bigInt());
  await fc.assert(
    fc.asyncProperty(
      fc.array(timestamp, { minLength: 50, maxLength: 100, size: 'max' }),
      async (timestamps) => {
        const drops: unknown[] = [];
        const ingester = open({ onDrop: ({ events }) => drops.push(...events) });
        for (const each of timestamps) ingester.add({ timestamp: each as number, attributes: {} });
        await ingester.close();
        expect(drops).toEqual([]);
      },
    ),
    cases(3),
  );
  expect(server.inspect.store().events).toBeGreaterThan(0);
});
