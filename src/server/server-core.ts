import { ACTIVITY_VIEW } from '../core/wire/activity-view.ts';
import { JobRunner } from './queries/job-runner.ts';
import { QueryAdmission } from './queries/query-admission.ts';
import { Rejections } from './rejections/rejections.ts';
import { SearchDomains } from './search-domains.ts';
import type { ServerCore, ServerHost } from './server-context.ts';
import { TemporaryRepositories } from './temporary-repositories.ts';

/** Builds the parts of a server that requests need. */
export function openCore(host: ServerHost): ServerCore {
  const { options, clock } = host;
  const rejections = new Rejections({ ...options, clock });
  const searchDomains = new SearchDomains(host);
  searchDomains.addBuiltInView(ACTIVITY_VIEW, () => [], rejections.store);
  const admission = new QueryAdmission(options, host.heap);
  return {
    ...host,
    instanceId: crypto.randomUUID(),
    temporaryRepositories: new TemporaryRepositories(host),
    searchDomains,
    jobs: new JobRunner({ ...options, admission, clock, searchDomains }),
    admission,
    rejections,
  };
}

/** Ends query jobs, and releases what keeps the program alive. */
export function closeCore({ jobs, rejections, temporaryRepositories }: ServerCore): void {
  for (const part of [jobs, rejections, temporaryRepositories]) part.close();
}
