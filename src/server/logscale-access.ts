import { newToken } from './registries/resource-id.ts';
import { defaultIngestToken, lastRepository, openRepository } from './repositories.ts';
import { savedTexts } from './saved-value.ts';
import type { ServerHost } from './server-context.ts';

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

/** Opens the repositories of the options. */
export function logscaleAccess({ options, repositories, folder }: ServerHost): LogscaleAccess {
  const savedToken = savedTexts(folder, 'user-token.json', { userToken: '' });
  const { userToken } = savedToken.keep({
    userToken: options.userToken ?? (savedToken.get().userToken || newToken()),
  });
  const repository = openRepository(repositories, options.repository, options.retentionDays);
  lastRepository(folder).keep({ repository: repository.name });
  const ingestToken = defaultIngestToken(repository, options.ingestToken);
  const others = options.repositories.map((name) => {
    const other = openRepository(repositories, name, options.retentionDays);
    return [name, defaultIngestToken(other, undefined)] as const;
  });
  const ingestTokens = { ...Object.fromEntries(others), [repository.name]: ingestToken };
  return { repository: repository.name, userToken, ingestToken, ingestTokens };
}
