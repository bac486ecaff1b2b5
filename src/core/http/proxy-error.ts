import { isError } from '../is-error.ts';

/** A proxy that forwards requests to the service. */
export interface HttpProxy {
  /** Without credentials. */
  readonly url: URL;
  /** Option or environment variable that sets it, for messages. */
  readonly origin: string;
  /** `Proxy-Authorization`, if the address contains credentials. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A proxy could not be reached, or did not connect to the service. */
export class ProxyError extends Error {
  readonly proxy: HttpProxy;
  /** Status of its response, if it responded. */
  readonly statusCode: number | undefined;

  constructor(proxy: HttpProxy, { statusCode, cause }: { statusCode?: number; cause?: unknown }) {
    super(isError(cause) ? cause.message : 'the proxy did not connect', { cause });
    this.name = 'ProxyError';
    this.proxy = proxy;
    this.statusCode = statusCode;
  }
}

export function proxyAuthenticationSentence({ url, origin }: HttpProxy): string {
  return `The proxy ${url.host} requires authentication (status 407). Check the user name and password in ${origin}.`;
}

/** @param code of the system or of TLS; `undefined` if the proxy responded. */
export function proxySentence(
  { proxy, statusCode }: ProxyError,
  { host, source }: { readonly host: string; readonly source: string },
  code: string | undefined,
): string {
  const { url, origin } = proxy;
  if (statusCode !== undefined) {
    return `The proxy ${url.host} did not connect to ${host} (status ${statusCode}). Check ${source}, the rules of the proxy, and ${origin}.`;
  }
  const detail = code === undefined ? '' : ` (${code})`;
  return `The connection to the proxy ${url.host} failed${detail}. Check ${origin}.`;
}
