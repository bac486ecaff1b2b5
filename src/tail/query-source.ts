import type { LiveQueryJob } from '../query/live-query-job.ts';
import type { QueryOptions } from '../query/query-options.ts';
import type { StaticQueryJob } from '../query/static-query-job.ts';
import type { StreamingQueryOptions } from '../query/streaming-query.ts';
import type { ServiceKind } from '../web/service-kind.ts';

/** The part of a client that the tail helpers use. */
export interface QuerySource {
  /** See `CAPABILITIES` for what this kind of service supports. */
  readonly service: ServiceKind;
  streamingQuery<Row extends object>(queryString: string, options: StreamingQueryOptions): AsyncIterable<Row>;
  createQueryJob<Row extends object>(
    queryString: string,
    options: QueryOptions & { isLive: true },
  ): Promise<LiveQueryJob<Row>>;
  createQueryJob<Row extends object>(
    queryString: string,
    options: QueryOptions & { isLive?: false },
  ): Promise<StaticQueryJob<Row>>;
}
