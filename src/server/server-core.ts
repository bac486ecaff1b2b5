import { ACTIVITY_VIEW } from '../core/wire/activity-view.ts';
import type { ReferenceData } from '../engine/index.ts';
import { createClock } from './clock.ts';
import type { ResolvedLocalServerOptions } from './local-server-options.ts';
import type { HeapGauge } from './queries/full-heap.ts';
import { JobRunner } from './queries/job-runner.ts';
import { QueryAdmission } from './queries/query-admission.ts';
import { Rejections } from './rejections/rejections.ts';
import { Repositories } from './repositories.ts';
import { SearchDomains } from './search-domains.ts';
import type { ServerCore } from './server-context.ts';
import type { StateFolder } from './state-folder.ts';
import type { EventStore } from './store/event-store.ts';
import { TemporaryRepositories } from './temporary-repositories.ts';
import { Views } from './views/views.ts';

/** What a server needs of the program that it runs in. */
export interface ServerHost extends Pick<ServerCore, 'folder' | 'closing'> {
  readonly options: ResolvedLocalServerOptions;
  readonly referenceData: ReferenceData;
  readonly heap: HeapGauge;
  /** How long the page's files are kept without use, in milliseconds. */
  readonly fileIdleMs: number;
  /** Opens the store of a repository; `folder` contains its events. */
  openStore(folder: StateFolder): EventStore;
}

/** Builds the parts of a server, except for its service and its listener. */
export function openCore({ heap, openStore, fileIdleMs, referenceData, ...host }: ServerHost): ServerCore {
  const { options, folder } = host;
  const clock = createClock(options.now);
  const repositories = new Repositories({
    clock,
    folder: folder.subfolder('repositories'),
    openStore,
  });
  const rejections = new Rejections({ ...options, clock });
  const views = new Views({ repositories, clock, folder });
  views.addBuiltIn(ACTIVITY_VIEW, () => [], rejections.store);
  const searchDomains = new SearchDomains(repositories, views, referenceData);
  const admission = new QueryAdmission(options, heap);
  return {
    ...host,
    clock,
    instanceId: crypto.randomUUID(),
    repositories,
    temporaryRepositories: new TemporaryRepositories(clock, repositories, fileIdleMs),
    searchDomains,
    jobs: new JobRunner({ ...options, admission, clock, searchDomains }),
    admission,
    rejections,
  };
}

/** Ends query jobs, and releases what keeps the program alive. */
export function closeCore({ jobs, rejections, temporaryRepositories }: ServerCore): void {
  jobs.close();
  rejections.close();
  temporaryRepositories.close();
}
