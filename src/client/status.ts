import { LogHTTPException } from '../errors.ts';
import { type CallOptions, resolveCallOptions } from '../web/call-options.ts';
import type { WebCaller } from '../web/web-caller.ts';
import { badResponse } from '../web/web-response.ts';
import type { ServiceStatus } from '../wire/status.ts';

export async function getStatus(webCaller: WebCaller, options: CallOptions): Promise<ServiceStatus> {
  try {
    const response = await webCaller.callRest('GET', 'status', resolveCallOptions('getStatus', options));
    const answer = await response.json<ServiceStatus | null>();
    if (typeof answer?.status === 'string') return answer;
    throw badResponse(response, 'has no status');
  } catch (error) {
    const status = downStatus(error);
    if (status === undefined) throw error;
    return status;
  }
}

/** A service that is down responds with status 503 and the usual body. */
function downStatus(error: unknown): ServiceStatus | undefined {
  if (!(error instanceof LogHTTPException) || error.statusCode !== 503) return undefined;
  try {
    const answer = JSON.parse(error.body) as Partial<ServiceStatus> | null;
    return typeof answer?.status === 'string' ? (answer as ServiceStatus) : undefined;
  } catch {
    return undefined;
  }
}
