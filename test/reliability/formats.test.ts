import { describe, expect, it } from 'vitest';
import { IngestSink } from '../helpers/ingest-sink.ts';
import { runNode } from '../helpers/run-node.ts';

const COUNT = 20_000;
const POISON = 7_777;
const MAX_BYTES = 300_000;

/** Fails twice, drops a connection, and rejects large requests and one of the records. */
function badDay(): IngestSink['answer'] {
  return ({ groups, bodyBytes }, index) => {
    if (index < 2) return { status: 503 };
    if (index === 2) return { reset: true };
    if (bodyBytes > MAX_BYTES) return { status: 413 };
    const events = groups.flatMap((group) => group.events);
    const number = events.findIndex(({ attributes }) => attributes.n === POISON);
    const body = { text: 'Invalid data format', code: 6, 'invalid-event-number': number };
    return number === -1 ? {} : { status: 400, body: JSON.stringify(body) };
  };
}

/** Logs at full speed and calls `process.exit()`. */
async function run(logging: string, format: string) {
  const sink = await IngestSink.open();
  const answer = badDay();
  let rejections = 0;
  sink.answer = async (request, index) => {
    const given = await answer(request, index);
    if (given.status === 400) rejections++;
    return given;
  };
  const more = { format, closeTimeoutMs: 9_000, maxQueueBytes: 32 * 1024 * 1024 };
  const settings = { url: sink.url, logging, ending: 'exit', count: COUNT, printsHooks: true, more };
  try {
    const { code, stdout } = await runNode('test/fixtures/log-and-end.mjs', {
      SETTINGS: JSON.stringify(settings),
    });
    const [, heard] = stdout.trim().split('\n');
    const { drops, warnings, stats } = JSON.parse(heard ?? 'null') ?? {};
    return {
      code,
      drops,
      warnings,
      stats,
      rejections,
      numbers: sink.events.map(({ attributes }) => attributes.n),
    };
  } finally {
    await sink.close();
  }
}

describe.concurrent.each(['createPinoTransport', 'createPinoStream'])(
  '20,000 records logged with %s before process.exit()',
  (logging) => {
    it.each(['structured', 'hec'])(
      'survive an outage, a reset, a 413 and a poison record, each once, with format %s',
      async (format) => {
        const { code, drops, warnings, stats, numbers, rejections } = await run(logging, format);
        const all = Array.from({ length: COUNT }, (_, index) => index + 1);
        // After several failures, single records show whether any is accepted.
        expect(numbers.sort((a, b) => Number(a) - Number(b))).toEqual(all.filter((n) => n !== POISON));
        expect(code).toBe(3);
        expect(drops).toEqual([{ reason: 'rejected', records: 1 }]);
        expect(warnings).toContain('rejected');
        expect(stats).toMatchObject({ accepted: COUNT, delivered: COUNT - 1, dropped: { rejected: 1 } });
        // Identified by its number, it is rejected once with the others and once alone.
        if (format === 'hec') expect(rejections).toBe(2);
      },
    );
  },
);
