import { LogOptionsException } from '../../core/errors.ts';
import {
  describe,
  isRecord,
  requireArray,
  requireInteger,
  requireOneOf,
  requireText,
  requireToken,
  resolveOptions,
} from '../../core/option-checks.ts';

const OWNER = 'startLocalServer';
const SCOPES = ['ngsiem:read', 'ngsiem:write'] as const;

/** A permission of the API client. */
export type NgsiemScope = (typeof SCOPES)[number];

/** What a server that emulates Next-Gen SIEM accepts and reports. */
export interface NgsiemOptions {
  /** ID of the API client. @default the ID saved in `dataDir`, else a random one */
  clientId?: string | undefined;
  /** Secret of the API client. @default the secret saved in `dataDir`, else a random one */
  clientSecret?: string | undefined;
  /**
   * Member CID that token requests can name with `member_cid`. Requests that name another one fail with status 403.
   * @default none
   */
  memberCid?: string | undefined;
  /**
   * Permissions of the API client. `GET` requests need `ngsiem:read`, others need `ngsiem:write`.
   * @default both
   */
  scopes?: readonly NgsiemScope[] | undefined;
  /**
   * Lifetime of access tokens, in milliseconds.
   * @default 1_800_000 (30 minutes)
   */
  tokenLifetimeMs?: number | undefined;
  /** API key of the HEC connector. @default the key saved in `dataDir`, else a random one */
  hecToken?: string | undefined;
  /**
   * Maximum number of requests per minute with an access token. Requests above it fail with status 429.
   * @default 6_000
   */
  rateLimit?: number | undefined;
  /**
   * Cloud that the server reports in the header `X-Cs-Region`.
   * @default 'us-1'
   */
  region?: string | undefined;
}

/** Validated options with defaults; credentials may still come from `dataDir`. */
export type ResolvedNgsiemOptions = Readonly<
  Required<Omit<NgsiemOptions, CredentialName>> & Pick<NgsiemOptions, CredentialName>
>;

type CredentialName = 'clientId' | 'clientSecret' | 'memberCid' | 'hecToken';

/** @throws LogOptionsException for an unknown or invalid option. */
export function resolveNgsiemOptions(value: unknown): ResolvedNgsiemOptions | false {
  if (value === undefined || value === false) return false;
  if (value !== true && !isRecord(value)) {
    const message = `${OWNER}: "ngsiem" must be true, false or an object of options (got ${describe(value)}).`;
    throw new LogOptionsException(message);
  }
  const options: NgsiemOptions = value === true ? {} : value;
  const { scopes = SCOPES, region = 'us-1' } = options;
  const token = (name: CredentialName) => (): string | undefined =>
    options[name] === undefined ? undefined : requireToken(OWNER, `ngsiem.${name}`, options[name]);
  const integer = (name: 'tokenLifetimeMs' | 'rateLimit', fallback: number) => (): number =>
    requireInteger(OWNER, `ngsiem.${name}`, options[name] ?? fallback, { min: 1 });
  return Object.freeze(
    resolveOptions(`${OWNER}: ngsiem`, options, {
      clientId: token('clientId'),
      clientSecret: token('clientSecret'),
      memberCid: token('memberCid'),
      scopes: () =>
        requireArray(OWNER, '"ngsiem.scopes"', scopes, 'scopes').map((scope) =>
          requireOneOf(OWNER, 'ngsiem.scopes', scope, SCOPES),
        ),
      tokenLifetimeMs: integer('tokenLifetimeMs', 1_800_000),
      hecToken: token('hecToken'),
      rateLimit: integer('rateLimit', 6_000),
      region: () => requireText(OWNER, 'ngsiem.region', region),
    }),
  );
}
