import type { RepositoryScope } from '../../core/http/repository-scope.ts';
import type { LiveQueryJob } from '../query/live-query-job.ts';
import type { QueryOptions } from '../query/query-options.ts';
import type { StaticQueryJob } from '../query/static-query-job.ts';

/** A query, and where it runs. */
export interface SourcedQuery {
  readonly source: QuerySource;
  readonly queryString: string;
  readonly query: QueryOptions;
}

/** The part of a client that the tail helpers use. */
export interface QuerySource extends RepositoryScope {
  createQueryJob<Row extends object>(
    queryString: string,
    options: QueryOptions & { isLive: true },
  ): Promise<LiveQueryJob<Row>>;
  createQueryJob<Row extends object>(
    queryString: string,
    options: QueryOptions & { isLive?: false },
  ): Promise<StaticQueryJob<Row>>;
}
