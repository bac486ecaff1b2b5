import type { MiddlewareHandler } from 'hono';
import { hashing } from '../../engine/index.ts';
import type { Repositories } from '../repositories.ts';
import type { Repository } from '../repository.ts';
import { HttpError } from './http-error.ts';

/** The sender of a request. A user token has all permissions; an ingest token only writes to its repository. */
export type Principal =
  | { readonly kind: 'user' }
  | {
      readonly kind: 'ingest';
      /** Name of the token. */
      readonly token: string;
      readonly repository: Repository;
      readonly parser: string | undefined;
    };

const MISSING = 'The resource requires authentication, which was not supplied with the request';
const INVALID = 'The supplied authentication is invalid';
const FORBIDDEN = 'The supplied authentication is not authorized to access this resource';
const CHALLENGE = { 'www-authenticate': 'Bearer' };

export interface Authentication {
  /** Returns who sent a request that ingests events. @throws HttpError 401 without a token that the server knows */
  principal(request: Request): Principal;
  /** Allows only users who can query and manage everything. @throws HttpError 401, or 403 for an ingest token */
  requireUser(request: Request): void;
  /** Describes the token of a request without revealing it, such as `user token` or `unknown token`. */
  tokenName(request: Request): string;
}

/** The first handler of a route that only users may request. */
export function onlyUsers({
  authentication,
}: {
  readonly authentication: Authentication;
}): MiddlewareHandler {
  return (c, next) => {
    authentication.requireUser(c.req.raw);
    return next();
  };
}

/** Tokens in the `Authorization` header: ingest tokens of repositories, and a user token unless it is undefined. */
export function tokenAuthentication(
  userToken: string | undefined,
  repositories: Repositories,
): Authentication {
  const ownerOf = (token: string): Principal | undefined => {
    if (token === '') return undefined;
    if (userToken !== undefined && isSameSecret(token, userToken)) return { kind: 'user' };
    for (const repository of repositories.list()) {
      const known = repository.ingestTokens.findBy('token', token);
      if (known !== undefined)
        return { kind: 'ingest', token: known.name, repository, parser: known.parser ?? undefined };
    }
    return undefined;
  };
  const senderOf = (header: string): Principal | undefined =>
    tokensOf(header)
      .map(ownerOf)
      .find((owner) => owner !== undefined);
  const principal = (request: Request): Principal => {
    const header = headerOf(request);
    const owner = senderOf(header);
    if (owner !== undefined) return owner;
    throw new HttpError(401, header === '' ? MISSING : INVALID, CHALLENGE);
  };
  return {
    principal,
    requireUser(request) {
      if (principal(request).kind !== 'user') throw forbidden();
    },
    tokenName(request) {
      const header = headerOf(request);
      if (header === '') return 'no token';
      const owner = senderOf(header);
      if (owner === undefined) return 'unknown token';
      return owner.kind === 'user'
        ? 'user token'
        : `ingest token ${JSON.stringify(owner.token)} of ${owner.repository.name}`;
    },
  };
}

export function forbidden(fix?: string): HttpError {
  return new HttpError(403, FORBIDDEN, {}, fix);
}

function headerOf({ headers }: Request): string {
  return (headers.get('authorization') ?? '').trim();
}

/**
 * Shippers without Bearer authentication use Splunk's scheme or Basic, with the token as the user name or the password.
 */
function tokensOf(header: string): readonly string[] {
  const [, scheme = '', value = ''] = /^([A-Za-z]+)\s+(.*)$/.exec(header) ?? [];
  if (/^(?:bearer|splunk)$/i.test(scheme)) return [value];
  if (scheme.toLowerCase() !== 'basic') return [];
  const credentials = Buffer.from(value, 'base64').toString('utf8');
  const [name = '', ...password] = credentials.split(':');
  return [name, password.join(':')];
}

/** Compares two strings in a time that does not depend on them. */
export function isSameSecret(presented: string, expected: string): boolean {
  const digest = (text: string): string => hashing().createHash('sha256').update(text).digest('hex');
  // The time of a comparison tells where two digests differ, which says nothing about the strings.
  return digest(presented) === digest(expected);
}
