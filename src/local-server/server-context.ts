import type { ReferenceData } from '../query-engine/index.ts';
import type { ServerClock } from './clock.ts';
import type { Authentication } from './http/authentication.ts';
import type { ResolvedLocalServerOptions } from './local-server-options.ts';
import type { JobRunner } from './queries/job-runner.ts';
import type { Users } from './registries/users.ts';
import type { Repositories } from './repositories.ts';
import type { SearchDomains } from './search-domains.ts';

/** What the routes of a server share. */
export interface ServerContext {
  readonly options: ResolvedLocalServerOptions;
  readonly clock: ServerClock;
  /** Identifies this server among those that use the same address one after the other. */
  readonly instanceId: string;
  readonly repositories: Repositories;
  readonly searchDomains: SearchDomains;
  readonly users: Users;
  readonly authentication: Authentication;
  readonly jobs: JobRunner;
  readonly referenceData: ReferenceData;
  /** Aborts when the server closes: what waits or streams ends then. */
  readonly closing: AbortSignal;
}
