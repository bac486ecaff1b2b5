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
  /** Ingest tokens by repository name, for all repositories that exist at startup. */
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
  for (const name of options.repositories) openRepository(repositories, name, options.retentionDays);
  const tokens = repositories
    .list()
    .map((each) => [
      each.name,
      defaultIngestToken(each, each === repository ? options.ingestToken : undefined),
    ]);
  const ingestTokens: Record<string, string> = Object.fromEntries(tokens);
  const ingestToken = ingestTokens[repository.name]!;
  return { repository: repository.name, userToken, ingestToken, ingestTokens };
}
