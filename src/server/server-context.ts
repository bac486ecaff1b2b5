import type { ReferenceData } from '../engine/index.ts';
import type { ServerClock } from './clock.ts';
import type { Authentication } from './http/authentication.ts';
import type { ResolvedLocalServerOptions } from './local-server-options.ts';
import type { HeapGauge } from './queries/full-heap.ts';
import type { JobRunner } from './queries/job-runner.ts';
import type { QueryAdmission } from './queries/query-admission.ts';
import type { Users } from './registries/users.ts';
import type { Rejections } from './rejections/rejections.ts';
import type { Repositories } from './repositories.ts';
import type { SearchDomains } from './search-domains.ts';
import type { StateFolder } from './state-folder.ts';
import type { TemporaryRepositories } from './temporary-repositories.ts';

/** What a server has before its first request: its options and its data. */
export interface ServerHost {
  readonly options: ResolvedLocalServerOptions;
  readonly clock: ServerClock;
  readonly repositories: Repositories;
  readonly referenceData: ReferenceData;
  readonly heap: HeapGauge;
  /** How long the page's files are kept without use, in milliseconds. */
  readonly fileIdleMs: number;
  /** Aborts when the server closes, which ends streams and waits. */
  readonly closing: AbortSignal;
  /** Where the state is saved. */
  readonly folder: StateFolder;
}

/** A context without the authentication of its service. */
export interface ServerCore extends ServerHost {
  /** ID of the only node of the cluster. */
  readonly instanceId: string;
  readonly temporaryRepositories: TemporaryRepositories;
  readonly searchDomains: SearchDomains;
  readonly jobs: JobRunner;
  readonly admission: QueryAdmission;
  readonly rejections: Rejections;
}

export interface ServerContext extends ServerCore {
  readonly authentication: Authentication;
}

/** The context of a LogScale server. */
export interface LogscaleContext extends ServerContext {
  readonly users: Users;
}
