import type { SearchDomain } from '../search-domain.ts';
import type { QueryRequest } from './query-request.ts';
import { usedFile } from './repository-library.ts';

/** A lookup file that a result was made with, as the answer to a poll describes it. */
export interface FileUsed {
  readonly name: string;
  readonly contentHash: string;
  /** Epoch milliseconds. */
  readonly modifiedTimestamp: number;
  readonly tableType: 'File';
}

/** The lookup files of a query, but for those that have changed since it was compiled. */
export function filesUsed({ isLive, plan, freshPlan }: QueryRequest, repository: SearchDomain): FileUsed[] {
  const { files } = isLive ? freshPlan.current() : plan;
  return [...files].flatMap(([asked, table]) => {
    const file = usedFile(repository, asked);
    if (file === undefined || file.table !== table) return [];
    const { name, contentHash, modifiedAt } = file;
    return { name, contentHash, modifiedTimestamp: Date.parse(modifiedAt), tableType: 'File' };
  });
}
