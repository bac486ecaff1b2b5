import { logscaleApp } from './app.ts';
import { TokenAuthentication } from './http/authentication.ts';
import { newToken } from './registries/resource-id.ts';
import { Users } from './registries/users.ts';
import { defaultIngestToken, lastRepository, openRepository } from './repositories.ts';
import { savedTexts } from './saved-value.ts';
import type { ServerCore, Service } from './server-context.ts';
import type { StateFolder } from './state-folder.ts';

/** The service's built-in view of all events. */
const SEARCH_ALL_VIEW = 'humio-search-all';
/** The service's audit log, which is empty here. */
const AUDIT_VIEW = 'humio-audit';

/** What clients of a LogScale server need. */
export interface LogscaleAccess {
  /** Name of the default repository. */
  readonly repository: string;
  /** API token with all permissions. */
  readonly userToken: string;
  /** Ingest token of {@link repository}. */
  readonly ingestToken: string;
  /** Ingest tokens by repository name, for all repositories created at startup. */
  readonly ingestTokens: Readonly<Record<string, string>>;
}

export function logscaleService(core: ServerCore): Service<LogscaleAccess> {
  const { options, repositories, searchDomains } = core;
  const userToken = options.userToken ?? savedUserToken(core.folder);
  const repository = openRepository(repositories, options.repository, options.retentionDays);
  const last = lastRepository(core.folder);
  if (last.get().repository !== repository.name) last.set({ repository: repository.name });
  const ingestToken = defaultIngestToken(repository, options.ingestToken);
  const others = options.repositories.map((name) => {
    const other = openRepository(repositories, name, options.retentionDays);
    return [name, defaultIngestToken(other, undefined)] as const;
  });
  const ingestTokens = { ...Object.fromEntries(others), [repository.name]: ingestToken };
  searchDomains.views.addBuiltIn(SEARCH_ALL_VIEW, () =>
    repositories.list().map(({ name }) => ({ repositoryName: name, filter: '*' })),
  );
  searchDomains.views.addBuiltIn(AUDIT_VIEW, () => []);
  const authentication = new TokenAuthentication(userToken, repositories);
  return {
    app: logscaleApp({ ...core, authentication, users: new Users(core) }),
    access: () => ({ repository: repository.name, userToken, ingestToken, ingestTokens }),
  };
}

/** The token of an earlier run, so clients keep working after a restart. */
function savedUserToken(folder: StateFolder): string {
  const saved = savedTexts(folder, 'user-token.json', { userToken: '' });
  if (saved.get().userToken === '') saved.set({ userToken: newToken() });
  return saved.get().userToken;
}
