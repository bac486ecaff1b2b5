import type { Authentication } from './authentication.ts';
import type { ServerClock } from './clock.ts';
import type { JobRunner } from './job-runner.ts';
import type { ResolvedLocalServerOptions } from './local-server-options.ts';
import type { Repositories } from './repositories.ts';
import type { Users } from './users.ts';

/** What the routes of a server share. */
export interface ServerContext {
  readonly options: ResolvedLocalServerOptions;
  readonly clock: ServerClock;
  readonly repositories: Repositories;
  readonly users: Users;
  readonly authentication: Authentication;
  readonly jobs: JobRunner;
  /** Aborts when the server closes: what waits or streams ends then. */
  readonly closing: AbortSignal;
}
