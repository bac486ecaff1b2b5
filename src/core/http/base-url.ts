import { DEFAULT_URL, firstSet, fromEnvironment } from '../environment.ts';
import { LogOptionsException } from '../errors.ts';
import { QUOTED, REMOVE_QUOTES } from '../option-checks.ts';
import { tryOr } from '../try-or.ts';
import { NO_SOURCE, sources } from './address-source.ts';

/** Other paths below `api/v1` can be prefixes of a gateway. */
const ENDPOINT_AT_END = /\/(?:api\/v1\/(?:ingest|repositories|dataspaces|status)\b.*|graphql)(?=\/$)/;

/**
 * The address of the service: the option, else the environment, else `http://localhost:3000`.
 *
 * @returns a URL whose path ends in a slash, so that API paths can be appended.
 * @throws LogOptionsException for anything but an http(s) address without credentials, query and fragment. The message
 * never contains the value, because people put passwords there.
 */
export function resolveBaseUrl(owner: string, value: string | URL | undefined): URL {
  const source = value === undefined ? (firstSet('baseUrl') ?? NO_SOURCE) : '"baseUrl"';
  const address = value === undefined ? (fromEnvironment('baseUrl') ?? DEFAULT_URL) : value;
  const url = requireAddress(owner, source, address);
  const path = ENDPOINT_AT_END.exec(url.pathname)?.[0];
  if (path === undefined) return url;
  throw new LogOptionsException(`${owner}: ${source} is an endpoint. Remove "${path}" from the end of it.`);
}

/**
 * @param source name of the option or variable, for messages.
 * @returns a URL whose path ends in a slash.
 * @throws LogOptionsException like {@link resolveBaseUrl}.
 */
export function requireAddress(owner: string, source: string, value: string | URL): URL {
  const url = parseAddress(owner, source, value);
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  // An address can be resolved several times.
  const known = value instanceof URL ? sources.get(value) : undefined;
  sources.set(url, known ?? source.replaceAll('"', ''));
  return url;
}

/**
 * Parses an http(s) address without credentials, query and fragment.
 *
 * @param source name of the option or variable, for messages.
 * @throws LogOptionsException without the value, because people put passwords there.
 */
export function parseAddress(owner: string, source: string, value: string | URL): URL {
  const isAddress = typeof value === 'string' || Object.prototype.toString.call(value) === '[object URL]';
  const text = isAddress ? String(value).trim() : '';
  const url = tryOr(undefined, () => new URL(text));
  const notUrl = isAddress ? 'is not a URL' : 'is not a URL. Pass a string: workers receive no URL objects';
  const problem = textProblem(text) ?? (url ? findProblem(url) : notUrl);
  if (url !== undefined && problem === undefined) return url;
  throw new LogOptionsException(
    `${owner}: ${source} ${problem}. Use an address such as https://logscale.example.com or http://localhost:3000/prefix.`,
  );
}

/** `localhost:3000` would be a URL with the scheme `localhost:`. */
function textProblem(text: string): string | undefined {
  if (QUOTED.test(text)) return REMOVE_QUOTES;
  if (/^[a-z][a-z0-9+.-]*:[\\/]/i.test(text) || !URL.canParse(`https://${text}`)) return undefined;
  return 'does not start with http:// or https://. Add https://, or http:// if the service has no TLS';
}

function findProblem(url: URL): string | undefined {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return `must start with http:// or https:// (got ${url.protocol}//)`;
  }
  if (url.username !== '' || url.password !== '') {
    return 'contains credentials, which would end up in logs; pass the token in its own option';
  }
  if (url.search !== '') return 'has a query string';
  if (url.hash !== '') return 'has a fragment';
  return undefined;
}
