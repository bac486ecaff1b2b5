import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LocalServer, startLocalServer } from '../../src/server/index.ts';
import { StoredLines } from '../../src/server/line-query/stored-lines.ts';
import { callJob, createJob, ingest, poll, pollUntilDone, post, type Row, runJob } from './query-calls.ts';

const NOW = Date.UTC(2026, 1, 3, 9);

let server: LocalServer;
beforeEach(async () => {
  server = await startLocalServer({ now: NOW });
});
afterEach(() => server.close());

/** `count` events, one second apart, the newest one second old; the field `n` starts at 0. */
function seconds(count: number, attributes: Record<string, unknown> = {}): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, n) => ({
    timestamp: NOW - (count - n) * 1000,
    attributes: { n, ...attributes },
  }));
}

function column(rows: readonly Row[], name: string): (string | number | undefined)[] {
  return rows.map((row) => row[name]);
}

describe('Static query job', () => {
  it('returns events newest first, and events of equal time in reverse order of arrival', async () => {
    await ingest(server, [
      { timestamp: NOW - 1, attributes: { n: 'a' } },
      { timestamp: NOW - 2, attributes: { n: 'b' } },
      { timestamp: NOW - 1, attributes: { n: 'c' } },
    ]);
    const { events, done, cancelled } = await runJob(server, '*');
    expect(column(events, 'n')).toEqual(['c', 'a', 'b']);
    expect(events[0]?.['@timestamp']).toBe(NOW - 1);
    expect({ done, cancelled }).toEqual({ done: true, cancelled: false });
  });

  it('describes its query and progress in metaData', async () => {
    await ingest(server, seconds(3));
    const { metaData } = await runJob(server, 'n>=1 | count()', { start: '1h' });
    expect(metaData).toMatchObject({
      eventCount: 1,
      isAggregate: true,
      pollAfter: expect.any(Number),
      filterQuery: { queryString: 'n >= 1', start: NOW - 3_600_000, end: NOW, isLive: false },
      queryStart: NOW - 3_600_000,
      queryEnd: NOW,
      // More events can arrive in this millisecond.
      digestFlow: { minIngestTimeIncluded: NOW - 1, ingestTimeKnownGood: NOW - 1, maxIngestLatency: 0 },
      processedEvents: 3,
      resultBufferSize: 1,
      totalWork: 3,
      workDone: 3,
      warnings: [],
    });
  });

  it('reports the share of the files that was read when it ran, even if all is read before the poll', async () => {
    const readMore = (readShare?: number): void =>
      StoredLines.into(server, { readShare, otherwise: NOW - 1 }).add(Buffer.from('a line\n'));
    readMore(0.5);
    const id = await createJob(server, 'count()');
    readMore();
    expect(await poll(server, id)).toMatchObject({ events: [{ _count: '1' }], metaData: { readShare: 0.5 } });
    expect((await runJob(server, 'count()')).metaData).not.toHaveProperty('readShare');
  });

  it('returns the rows of an aggregate with string values, in the order of the function', async () => {
    await ingest(server, seconds(10, { host: 'a' }));
    const { events, metaData } = await runJob(server, 'timechart(span=5s, function=count())', {
      start: NOW - 10_000,
      end: NOW - 1,
    });
    expect(events.every((row) => Object.values(row).every((value) => typeof value === 'string'))).toBe(true);
    expect(events).toEqual([
      { _bucket: String(NOW - 10_000), _count: '5' },
      { _bucket: String(NOW - 5_000), _count: '5' },
    ]);
    expect(metaData.extraData.bucket_span_millis).toBe('5000');
  });

  it('returns the same 200 events at each poll, and reports hasMoreEvents and the number of matches', async () => {
    await ingest(server, seconds(250));
    const id = await createJob(server, '*');
    const first = await pollUntilDone(server, id);
    const second = await pollUntilDone(server, id);
    expect(first.events).toHaveLength(200);
    expect(first.metaData).toMatchObject({
      extraData: { hasMoreEvents: 'true' },
      resultBufferSize: 200,
      processedEvents: 250,
    });
    expect(second.events).toEqual(first.events);
    const exact = await runJob(server, 'n>=50');
    expect(exact.metaData).toMatchObject({ extraData: { hasMoreEvents: 'false' }, processedEvents: 200 });
    const counted = await runJob(server, 'n>=50 | count()');
    expect(counted.metaData.processedEvents).toBe(250);
  });

  it('applies paginationLimit, paginationOffset and sortBy within its buffer only', async () => {
    await ingest(server, seconds(250));
    const id = await createJob(server, '*');
    const page = await pollUntilDone(server, id, '?paginationLimit=3&paginationOffset=198');
    expect(column(page.events, 'n')).toEqual(['51', '50']);
    expect((await pollUntilDone(server, id, '?paginationOffset=200')).events).toEqual([]);
    const sorted = await pollUntilDone(server, id, '?paginationLimit=2&sortBy=n&sortOrder=asc');
    expect(column(sorted.events, 'n')).toEqual(['50', '51']);
    expect((await callJob(server, id, 'GET', '?paginationLimit=-1')).status).toBe(400);
  });

  it('sorts like sort(): numbers before strings, missing values first, or last when descending', async () => {
    const sorted = [undefined, '-7', '9', '10', '1e3', '', '-x', '0x10', '5a', 'Infinity', 'b'];
    const arrived = [8, 3, 6, 2, 9, 0, 4, 7, 10, 1, 5].map((place) => sorted[place]);
    const events = arrived.map((n) => ({ timestamp: NOW - 1000, attributes: n === undefined ? {} : { n } }));
    await ingest(server, events);
    const id = await createJob(server, '*');
    const [up, down] = [
      await pollUntilDone(server, id, '?sortBy=n'),
      await pollUntilDone(server, id, '?sortBy=n&sortOrder=desc'),
    ];
    expect(column(up.events, 'n')).toEqual(sorted);
    const [, ...present] = sorted;
    const [numbers, strings] = [present.slice(0, 4), present.slice(4)];
    expect(column(down.events, 'n')).toEqual([...numbers.toReversed(), ...strings.toReversed(), undefined]);
  });

  it('reaches every event in time order by paging back with `around`', async () => {
    await ingest(server, [
      ...seconds(900),
      ...seconds(150).map((event) => ({ ...event, attributes: { n: 'x' } })),
    ]);
    const { events, metaData } = await runJob(server, '*');
    const seen = new Map(events.map((event) => [event['@id'], event]));
    const interval = { start: metaData.queryStart, end: metaData.queryEnd };
    for (let known = 0; known < seen.size; ) {
      known = seen.size;
      const oldest = [...seen.values()].at(-1)!;
      const around = {
        eventId: oldest['@id'],
        timestamp: oldest['@timestamp'],
        numberOfEventsBefore: 200,
        numberOfEventsAfter: 0,
      };
      for (const event of (await runJob(server, '*', { ...interval, around })).events) {
        if (!seen.has(event['@id'])) seen.set(event['@id'], event);
      }
    }
    expect(seen.size).toBe(1050);
    const times = [...seen.values()].map((event) => Number(event['@timestamp']));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
  });

  it('returns the events before and after an event with `around`, and rejects it for an aggregate', async () => {
    await ingest(server, seconds(20));
    const [pivot] = (await runJob(server, 'n=10')).events;
    const around = {
      eventId: pivot?.['@id'],
      timestamp: pivot?.['@timestamp'],
      numberOfEventsBefore: 2,
      numberOfEventsAfter: 3,
    };
    const { events, metaData } = await runJob(server, 'n!=9', { around });
    expect(column(events, 'n')).toEqual(['13', '12', '11', '10', '8', '7']);
    expect(metaData.extraData.hasMoreEvents).toBe('true');
    const refused = await post(
      server,
      'repositories/sandbox/queryjobs',
      JSON.stringify({ queryString: 'count()', around }),
    );
    expect(refused.status).toBe(400);
  });

  it('includes events at both ends of its interval', async () => {
    await ingest(server, [...seconds(3), { timestamp: NOW, attributes: { n: 'now' } }]);
    expect(column((await runJob(server, '*', { start: NOW - 2000 })).events, 'n')).toEqual(['now', '2', '1']);
  });

  it('can be polled under every queryjobs path', async () => {
    const created = await post(server, 'queryjobs', '{"queryString":""}');
    const { id, queryOnView } = (await created.json()) as { id: string; queryOnView: string };
    expect(id).toMatch(/^\d+-[A-Za-z0-9_-]{24}$/);
    expect(queryOnView).toBe('*');
    for (const path of ['queryjobs', 'repositories/sandbox/queryjobs', 'dataspaces/sandbox/queryjobs']) {
      const response = await fetch(`${server.url}/api/v1/${path}/${id}`, {
        headers: { authorization: `Bearer ${server.userToken}` },
      });
      expect(response.status).toBe(200);
    }
  });

  it('exports its result as CSV, text, NDJSON and JSON, and rejects another mimeType', async () => {
    await ingest(server, [
      { timestamp: NOW - 1, attributes: { a: 'x,"y"', b: '1' }, rawstring: 'first' },
      { timestamp: NOW, attributes: { a: 'z' }, rawstring: 'second' },
    ]);
    const id = await createJob(server, '*');
    const exported = async (parameters: string): Promise<string> =>
      (await callJob(server, id, 'GET', parameters)).text();
    expect(await exported('?mimeType=text/csv&fieldsToExport=a,b')).toBe('a,b\nz,\n"x,""y""",1\n');
    expect(await exported('?mimeType=text/csv&fieldsToExport=constructor,b')).toBe('constructor,b\n,\n,1\n');
    expect(await exported('?mimeType=text/plain')).toBe('second\nfirst\n');
    expect((await exported('?mimeType=application/x-ndjson')).split('\n')).toHaveLength(3);
    expect(JSON.parse(await exported('?mimeType=application/json'))).toHaveLength(2);
    expect(await exported('?mimeType=image/png')).toContain('mimeType');
  });
});

describe('Query job lifetime', () => {
  it('a deleted job responds with a 404', async () => {
    const id = await createJob(server, '*');
    expect(server.inspect.jobs()).toEqual([{ id, repository: 'sandbox', queryString: '*', isLive: false }]);
    const deleted = await callJob(server, id, 'DELETE');
    expect([deleted.status, await deleted.text(), deleted.headers.get('content-type')]).toEqual([
      204,
      '',
      null,
    ]);
    expect((await callJob(server, id)).status).toBe(404);
    expect((await callJob(server, id, 'DELETE')).status).toBe(404);
    expect(server.inspect.jobs()).toEqual([]);
  });

  it('a static job expires 90 seconds after its last poll, a live job after an hour', async () => {
    const id = await createJob(server, '*');
    const live = await createJob(server, '*', { isLive: true });
    server.clock.advance(90_000);
    expect((await callJob(server, id, 'GET', '?onlyHeartbeat=true')).status).toBe(200);
    server.clock.advance(90_000);
    expect((await callJob(server, id)).status).toBe(200);
    server.clock.advance(90_001);
    const response = await callJob(server, id);
    expect([response.status, await response.text()]).toEqual([404, expect.stringContaining('expired')]);
    expect(server.inspect.jobs()).toMatchObject([{ id: live }]);
    server.clock.advance(3_600_001);
    expect(server.inspect.jobs()).toEqual([]);
  });

  it('a query that runs longer than queryTimeoutMs is canceled, and the server keeps running', async () => {
    await server.close();
    server = await startLocalServer({ now: NOW, queryTimeoutMs: 1 });
    for (let batch = 0; batch < 5; batch++) await ingest(server, seconds(10_000));
    const answer = await runJob(server, 'groupBy([n, @id], limit=20000) | sort(n)');
    expect(answer).toMatchObject({ done: false, cancelled: true, events: [] });
    expect(answer.metaData.warnings).toEqual([
      'The query was canceled: it needed more than 1 ms of CPU time, the limit of this server.',
    ]);
    expect((await post(server, 'ingest/raw', 'still here', { token: server.ingestToken })).status).toBe(200);
  });
});

describe('Live query job', () => {
  it('returns a full snapshot of its sliding window at each poll', async () => {
    await ingest(server, seconds(3));
    const id = await createJob(server, 'count()', { isLive: true, start: '10s' });
    const first = await poll(server, id);
    expect(first).toMatchObject({ done: true, events: [{ _count: '3' }] });
    await ingest(server, [{ timestamp: NOW, attributes: {} }]);
    expect((await poll(server, id)).events).toEqual([{ _count: '4' }]);
    server.clock.advance(8500);
    const later = await poll(server, id);
    expect(later.events).toEqual([{ _count: '2' }]);
    expect(later.metaData).toMatchObject({ queryStart: NOW - 1500, queryEnd: NOW + 8500 });
    expect(later.metaData.filterQuery).toMatchObject({ isLive: false });
  });

  it('returns the events acknowledged before the poll, despite concurrent ingest', async () => {
    const id = await createJob(server, '*', { isLive: true, start: '1h' });
    for (let n = 0; n < 20; n++) {
      await ingest(server, [{ timestamp: NOW - 20 + n, attributes: { n } }]);
      const [polled] = await Promise.all([
        poll(server, id),
        poll(server, id),
        ingest(server, [{ timestamp: NOW - 100, attributes: { n: 'noise' } }]),
      ]);
      expect(polled.events[0]).toMatchObject({ n: String(n) });
    }
  });
});
