import { LogException } from '../errors.ts';

/**
 * The part of a GraphQL answer below a repository or view, which is null where there is none of that name.
 *
 * @throws LogException with the code `LOG_NOT_FOUND`
 */
export function found<Part>(part: Part | null | undefined, repository: string): Part {
  if (part !== null && part !== undefined) return part;
  throw new LogException(
    `There is no repository or view ${JSON.stringify(repository)}, or the token has no access to it.`,
    'LOG_NOT_FOUND',
  );
}
