import { describe, expectTypeOf, it } from 'vitest';
import {
  type AroundOption,
  type CreateSavedQueryOptions,
  type IngestEvent,
  type LiveQueryJob,
  LogClient,
  type LogEvent,
  type PollResult,
  type QueryOptions,
  type StaticQueryJob,
  type StructuredEvent,
  type TailOptions,
  type User,
  type WaitForCondition,
} from '../../src/index.ts';

/** Rows as an interface, which has no index signature, and as a type. */
interface CountRow {
  service: string;
  _count: string;
}
type CountType = { service: string; _count: string };

const client = new LogClient({ baseUrl: 'http://localhost', repository: 'r', userToken: 'token-1234' });

/** Never called: only the types are checked. */
const calls = {
  query: () => client.query<CountRow>('x'),
  queryOfType: () => client.query<CountType>('x'),
  queryOfEvents: () => client.query('x'),
  tail: () => client.tail<CountRow>('x'),
  watch: () => client.watch<CountRow>('x'),
  waitFor: () => client.waitFor<CountRow>('x', (rows) => rows[0]?._count === '1'),
  waitForOne: () => client.waitFor<CountRow>('x', 1, { timeoutMs: 5 }),
  waitForAny: () => client.waitFor('x'),
  waitForCondition: (condition: WaitForCondition) => client.waitFor('x', condition),
  streamingQuery: () => client.streamingQuery<CountRow>('x'),
  liveJob: () => client.createQueryJob<CountRow>('x', { isLive: true }),
  staticJob: () => client.createQueryJob<CountRow>('x'),
};

describe('Rows', () => {
  it('have the requested type, whether an interface or a type alias', () => {
    expectTypeOf(calls.query).returns.resolves.toEqualTypeOf<CountRow[]>();
    expectTypeOf(calls.queryOfType).returns.resolves.toEqualTypeOf<CountType[]>();
    expectTypeOf(calls.tail).returns.toEqualTypeOf<AsyncGenerator<CountRow, void, undefined>>();
    expectTypeOf(calls.watch).returns.toEqualTypeOf<AsyncGenerator<PollResult<CountRow>, void, undefined>>();
    expectTypeOf(calls.waitFor).returns.resolves.toEqualTypeOf<CountRow[]>();
    expectTypeOf(calls.streamingQuery).returns.toEqualTypeOf<AsyncGenerator<CountRow, void, undefined>>();
    expectTypeOf(calls.liveJob).returns.resolves.toEqualTypeOf<LiveQueryJob<CountRow>>();
    expectTypeOf(calls.staticJob).returns.resolves.toEqualTypeOf<StaticQueryJob<CountRow>>();
  });

  it('are events by default', () => {
    expectTypeOf(calls.queryOfEvents).returns.resolves.toEqualTypeOf<LogEvent[]>();
    expectTypeOf<WaitForCondition>()
      .extract<(...args: never) => unknown>()
      .parameter(0)
      .toEqualTypeOf<readonly LogEvent[]>();
  });

  it('of waitFor() with a count have at least one element', () => {
    expectTypeOf(calls.waitForOne).returns.resolves.toEqualTypeOf<[CountRow, ...CountRow[]]>();
    expectTypeOf(calls.waitForAny).returns.resolves.toEqualTypeOf<[LogEvent, ...LogEvent[]]>();
    expectTypeOf(calls.waitForCondition).returns.resolves.toEqualTypeOf<LogEvent[]>();
  });

  it('have a number as @timestamp', () => {
    expectTypeOf<LogEvent['@timestamp']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<LogEvent['level']>().toEqualTypeOf<string | number | undefined>();
  });

  it('can be literals in mocks', () => {
    expectTypeOf({ '@timestamp': 1, '@id': 'a', msg: 'x', ms: 12 }).toExtend<LogEvent>();
    expectTypeOf({ _count: '1', service: undefined }).toExtend<LogEvent>();
  });

  it('must be objects', () => {
    // @ts-expect-error a row is an object
    expectTypeOf(() => client.query<string>('x')).toBeFunction();
  });
});

describe('Query options', () => {
  it('accept a Date for every time', () => {
    expectTypeOf<Date>().toExtend<QueryOptions['start']>();
    expectTypeOf<Date>().toExtend<QueryOptions['end']>();
    expectTypeOf<Date>().toExtend<QueryOptions['ingestStart']>();
    expectTypeOf<Date>().toExtend<QueryOptions['ingestEnd']>();
    expectTypeOf<Date>().toExtend<AroundOption['timestamp']>();
    expectTypeOf<Date>().toExtend<CreateSavedQueryOptions['start']>();
    expectTypeOf<Date>().toExtend<StructuredEvent['timestamp']>();
  });
});

describe('Attributes of a structured event', () => {
  interface Order {
    readonly id: string;
    readonly user?: string;
  }

  it('can be an interface, unknown values, and what an ingester accepts', () => {
    expectTypeOf<Order>().toExtend<StructuredEvent['attributes']>();
    expectTypeOf<Record<string, unknown>>().toExtend<StructuredEvent['attributes']>();
    expectTypeOf<StructuredEvent['attributes']>().toEqualTypeOf<IngestEvent['attributes']>();
  });
});

describe('Tail options', () => {
  it('accept a number, string or Date as since', () => {
    expectTypeOf<TailOptions['since']>().toEqualTypeOf<number | string | Date | undefined>();
  });
});

it('users have no other members than the documented ones', () => {
  // @ts-expect-error it is called isRoot
  expectTypeOf<User['root']>();
  expectTypeOf<User['isRoot']>().toEqualTypeOf<boolean | undefined>();
});
