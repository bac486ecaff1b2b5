import type { ServerClock } from '../clock.ts';
import type { SearchDomains } from '../search-domains.ts';
import type { QueryAdmission } from './query-admission.ts';

/** Options of the runner of query jobs, which each of its jobs gets, too. */
export interface JobRunnerOptions {
  readonly clock: ServerClock;
  readonly admission: QueryAdmission;
  readonly searchDomains: SearchDomains;
  readonly jobLifetimeMs: number;
  readonly liveJobLifetimeMs: number;
  readonly maxQueryRows: number;
  readonly onWarning: (message: string) => void;
}
