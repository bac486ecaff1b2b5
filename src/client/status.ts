import { LogHTTPException } from '../core/errors.ts';
import type { CallOptions } from '../core/http/call-options.ts';
import { badResponse, type WebResponse } from '../core/http/web-response.ts';
import { tryOr } from '../core/try-or.ts';
import type { ServiceStatus } from '../core/wire/status.ts';
import { ApiClient } from './resource.ts';

/** Methods of a client for the status of the service. */
export abstract class StatusMethods extends ApiClient {
  /**
   * Returns the status and version of the service. A service that reports being down is a result, not an error.
   *
   * @example
   * ```ts
   * const { version } = await client.getStatus();
   * ```
   */
  async getStatus(options: CallOptions = {}): Promise<ServiceStatus> {
    const call = this.call('getStatus', options);
    const isResult = (error: unknown): boolean => downStatus(error) !== undefined;
    try {
      return await call.rest('GET', 'status', statusIn, {}, { isResult });
    } catch (error) {
      const status = downStatus(error);
      if (status === undefined) throw error;
      return status;
    }
  }
}

async function statusIn(response: WebResponse): Promise<ServiceStatus> {
  const answer = await response.json<ServiceStatus | null>();
  if (typeof answer?.status === 'string') return answer;
  throw badResponse(response, 'has no status');
}

/** A service that is down responds with status 503 and the usual body. */
function downStatus(error: unknown): ServiceStatus | undefined {
  if (!(error instanceof LogHTTPException) || error.statusCode !== 503) return undefined;
  const answer = tryOr<Partial<ServiceStatus> | null>(null, () => JSON.parse(error.body));
  return typeof answer?.status === 'string' ? (answer as ServiceStatus) : undefined;
}
