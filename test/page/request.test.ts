import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toRecord } from '../../src/page/records/log-record.ts';
import { distanceText } from '../../src/page/records/times.ts';
import { isCondition, isOfRequest, requestParts, sharedIds } from '../../src/page/search/request.ts';
import { LineQuery } from '../../src/server/line-query/index.ts';
import { collect } from '../helpers/collect.ts';
import { cases } from '../helpers/laws.ts';

async function found(records: readonly object[], query: string): Promise<unknown[]> {
  const lines = records.map((record, index) => `${JSON.stringify({ ...record, index })}\n`);
  const rows = (await collect(new LineQuery(query).run(lines))).flat();
  return rows.map(({ index }) => Number(index)).sort((left, right) => left - right);
}

describe('The ID of a request', () => {
  it.each([
    ...[
      'reqId',
      'req_id',
      'req.id',
      'requestId',
      'request_id',
      'RequestID',
      'x-request-id',
      'http.request.id',
    ],
    ...['traceId', 'trace_id', 'trace.id', 'dd.trace_id', 'correlationId', 'correlation_id', 'CorrelationId'],
    ...['x-correlation-id', 'req.headers.x-request-id', 'awsRequestId', 'operation_Id', 'sessionId'],
  ])('can have the name %s', (name) => {
    expect(sharedIds({ [name]: 'c0ffee11', level: 'info' })).toEqual([name]);
  });

  it.each(['id', 'userId', 'spanId', 'span_id', 'requestIds', 'preqId', 'trace', 'valid'])(
    'does not have the name %s',
    (name) => {
      expect(sharedIds({ [name]: 'c0ffee11' })).toEqual([]);
    },
  );

  it('is offered once if several fields have it, and not if it is empty', () => {
    const id = '0af7651916cd43dd8448eb211c80319c';
    const traceparent = `00-${id}-b7ad6b7169203331-01`;
    expect(sharedIds({ traceparent, trace_id: id, reqId: 'req-1', requestId: '' })).toEqual([
      'trace_id',
      'reqId',
    ]);
  });

  it('of at least 8 characters finds all its spellings and messages, as a whole word', async () => {
    const id = '0af7651916cd43dd8448eb211c80319c';
    const records = [
      { reqId: id },
      { requestId: id },
      { deep: { correlation_id: [id] } },
      { traceparent: `00-${id}-b7ad6b7169203331-01` },
      { msg: `accepted request ${id}.` },
      { msg: `line\n${id}` },
      { msg: `request${id}` },
      { msg: `${id}0` },
      { reqId: id.slice(0, 8) },
    ];
    for (const row of [{ reqId: id }, { reqId: records[3]!.traceparent! }])
      expect(await found(records, isOfRequest(row, 'reqId'))).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('that is shorter finds the same field of the same process', async () => {
    const row = { reqId: 'req-1', service: 'shop', pid: '7' };
    const records = [
      row,
      { ...row, msg: 'done' },
      { ...row, service: 'bank' },
      { ...row, pid: '8' },
      { ...row, reqId: 'req-10' },
      { ...row, reqId: '1', requestId: 'req-1', msg: 'req-1' },
    ];
    expect(await found(records, isOfRequest(row, 'reqId'))).toEqual([0, 1]);
  });

  it('finds its own record, and is recognized in the condition, whatever it is', async () => {
    const text = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .filter((id) => id.trim() !== '');
    const id = fc.oneof(text, fc.uuid(), fc.base64String({ minLength: 8, maxLength: 24 }));
    await fc.assert(
      fc.asyncProperty(id, async (reqId) => {
        const condition = isOfRequest({ reqId }, 'reqId');
        expect(await found([{ reqId }], condition)).toEqual([0]);
        expect(isCondition(condition, reqId)).toBe(true);
      }),
      cases(60),
    );
  });
});

describe('The services of a request', () => {
  it('work from their first to their last record, and before one that says how long it took', () => {
    const rows: readonly Record<string, string | number>[] = [
      { service: 'web', '@timestamp': 1003 },
      { service: 'cart', '@timestamp': 1023, level: 'error' },
      { service: 'cart', '@timestamp': 1113, timeoutMs: 30_000, duration: 5 },
      { service: 'web', '@timestamp': 1133, responseTime: '133' },
    ];
    expect(requestParts(rows.map((row) => toRecord(row)))).toEqual([
      { service: 'web', start: 1000, end: 1133, records: 2, hasError: false },
      { service: 'cart', start: 1023, end: 1113, records: 2, hasError: true },
    ]);
    expect([0, 43, 99_999, 126_000].map(distanceText)).toEqual(['+0 ms', '+43 ms', '+99,999 ms', '+2.1 min']);
  });
});
