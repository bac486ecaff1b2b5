import type { Repositories } from './repositories.ts';
import type { Repository } from './repository.ts';

const DEFAULT_TOKEN_NAME = 'default';

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

/** The ingest token of a repository: the wanted one, that of an earlier run, or a random one. */
export function defaultIngestToken({ ingestTokens }: Repository, wanted: string | undefined): string {
  const kept = ingestTokens.get(DEFAULT_TOKEN_NAME);
  if (kept !== undefined && (wanted === undefined || kept.token === wanted)) return kept.token;
  if (wanted !== undefined && ingestTokens.find(wanted) !== undefined) return wanted;
  if (kept !== undefined) ingestTokens.remove(DEFAULT_TOKEN_NAME);
  return ingestTokens.add({ name: DEFAULT_TOKEN_NAME, token: wanted }).token;
}
