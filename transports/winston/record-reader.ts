import { LogClient } from '../../src/client/log-client.ts';
import { lql } from '../../src/client/query/lql.ts';
import type { QueryFragment } from '../../src/client/query/query-fragment.ts';
import { environmentNames, fromEnvironment } from '../../src/core/environment.ts';
import { LogOptionsException } from '../../src/core/errors.ts';
import type { ConnectionOptions } from '../../src/core/http/node/connection-options.ts';
import type { LogEvent } from '../../src/core/wire/query.ts';
import {
  type RecordQuery,
  type RecordStreamOptions,
  resolveRecordQuery,
  resolveRecordStream,
} from './record-query.ts';
import { type WinstonRecord, winstonRecord } from './winston-record.ts';

/** Where to read the records of a transport. */
export interface RecordSource {
  readonly connection: ConnectionOptions;
  readonly userToken: string | undefined;
  readonly repository: string | undefined;
  /** Fields of all records. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Reads logged records. @throws LogOptionsException for invalid options, or without credentials. */
export async function readRecords(source: RecordSource, options: RecordQuery): Promise<WinstonRecord[]> {
  const { from, until, limit, start, order, fields, level } = resolveRecordQuery(options);
  const client = clientFor(source);
  const count = start + limit;
  const own = lql.join(
    [...fieldFilters(source), ...(level === undefined ? [] : [lql`level = ${level}`])],
    ' ',
    lql``,
  );
  // Without a function, the service returns the newest first.
  const query = order === 'asc' ? lql`${own} | head(${count})` : own;
  const events = await client.query(query, {
    start: from ?? '24hours',
    // `until` is inclusive.
    ...(until !== undefined && { end: until + 1 }),
    limit: count,
  });
  return events.slice(start).map((event) => pick(winstonRecord(event), fields));
}

/** Reads records from a start time on, and then as they arrive. @throws LogOptionsException as {@link readRecords} */
export async function* tailRecords(
  source: RecordSource,
  options: RecordStreamOptions & { now: number; signal: AbortSignal },
): AsyncGenerator<WinstonRecord, void, undefined> {
  const { since, skip } = resolveRecordStream(options, options.now);
  const query = lql.join(fieldFilters(source), ' ', lql``);
  let skipped = 0;
  for await (const event of clientFor(source).tail<LogEvent>(query, { since, signal: options.signal })) {
    if (skipped++ >= skip) yield winstonRecord(event);
  }
}

function fieldFilters({ fields }: RecordSource): QueryFragment[] {
  return Object.entries(fields).map(([name, value]) => lql`${lql.field(name)} = ${literal(value)}`);
}

/** In a string, `*` would be a wildcard. */
function literal(value: string): string | RegExp {
  return value.includes('*') ? new RegExp(`^${value.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`) : value;
}

function clientFor({ connection, userToken, repository }: RecordSource): LogClient {
  return new LogClient({
    ...connection,
    userToken: required('userToken', userToken),
    repository: required('repository', repository),
  });
}

function required(name: 'userToken' | 'repository', option: string | undefined): string {
  const value = option ?? fromEnvironment(name);
  if (value !== undefined) return value;
  const remark = name === 'userToken' ? ' An ingest token can only write.' : '';
  throw new LogOptionsException(
    `LogTransport: reading records needs a "${name}". Pass it as an option or set ${environmentNames(name)} in the environment.${remark}`,
  );
}

function pick(record: WinstonRecord, fields: readonly string[] | undefined): WinstonRecord {
  return fields === undefined ? record : Object.fromEntries(fields.map((name) => [name, record[name]]));
}
