import { logscaleApp } from './app.ts';
import { TokenAuthentication } from './http/authentication.ts';
import { newToken } from './registries/resource-id.ts';
import type { Repositories } from './repositories.ts';
import type { Repository } from './repository.ts';
import type { ServerCore, Service } from './service.ts';
import type { StateFolder } from './store/state-file.ts';

const DEFAULT_TOKEN_NAME = 'default';

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

/** Emulates LogScale. */
export function logscaleService(core: ServerCore): Service<LogscaleAccess> {
  const { options, repositories } = core;
  const userToken = options.userToken ?? savedUserToken(core.folder);
  const repository = openRepository(repositories, options.repository, options.retentionDays);
  const ingestToken = defaultIngestToken(repository, options.ingestToken);
  const others = options.repositories.map((name) => {
    const other = openRepository(repositories, name, options.retentionDays);
    return [name, defaultIngestToken(other, undefined)] as const;
  });
  const ingestTokens = { ...Object.fromEntries(others), [repository.name]: ingestToken };
  const authentication = new TokenAuthentication(userToken, repositories);
  return {
    app: logscaleApp({ ...core, authentication }),
    access: () => ({ repository: repository.name, userToken, ingestToken, ingestTokens }),
  };
}

/** Opens a repository, or creates it. */
export function openRepository(
  repositories: Repositories,
  name: string,
  timeBasedRetention: number | undefined,
): Repository {
  const repository = repositories.get(name) ?? repositories.create(name);
  if (timeBasedRetention !== undefined) repository.retention.set({ timeBasedRetention });
  return repository;
}

/** The token of an earlier run, so that clients keep working after a restart. */
function savedUserToken(folder: StateFolder): string {
  const file = folder.file('user-token.json');
  const saved = file.read() as { userToken?: unknown } | undefined;
  if (typeof saved?.userToken === 'string') return saved.userToken;
  const userToken = newToken();
  file.write({ userToken });
  return userToken;
}

/** The ingest token of a repository: the wanted one, that of an earlier run, or a random one. */
export function defaultIngestToken({ ingestTokens }: Repository, wanted: string | undefined): string {
  const kept = ingestTokens.findByName(DEFAULT_TOKEN_NAME);
  if (kept !== undefined && (wanted === undefined || kept.token === wanted)) return kept.token;
  if (wanted !== undefined && ingestTokens.find(wanted) !== undefined) return wanted;
  if (kept !== undefined) ingestTokens.remove(DEFAULT_TOKEN_NAME);
  return ingestTokens.add({ name: DEFAULT_TOKEN_NAME, token: wanted }).token;
}
