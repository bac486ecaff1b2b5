import type { ServerResponse } from 'node:http';
import { type HttpService, type ReceivedRequest, sendJson, startService } from './http-service.ts';

export const CLIENT_ID = '0123456789abcdef0123456789abcdef';
export const CLIENT_SECRET = 'the-client-secret-0123456789';

export interface FalconService extends HttpService {
  /** The form of every token request. */
  readonly tokenRequests: URLSearchParams[];
  /** Rejects all tokens issued so far with status 401. */
  expireTokens(): void;
}

export interface FalconServiceOptions {
  /** `expires_in` of the tokens. @default 1799 */
  lifetimeSeconds?: number;
  /** Answers calls with a valid token. @default a new query job */
  answer?: (request: ReceivedRequest, response: ServerResponse) => unknown;
  /** Answers token requests, if it sends a response. */
  issue?: (request: ReceivedRequest, response: ServerResponse, count: number) => unknown;
  /** Answers calls without a valid token, if it sends a response. */
  reject?: (request: ReceivedRequest, response: ServerResponse) => unknown;
  /** Tokens are valid at all services with the same set. */
  tokens?: Set<string>;
}

/** The token endpoint of a CrowdStrike cloud, and an API that requires one of its tokens. */
export async function startFalconService(options: FalconServiceOptions = {}): Promise<FalconService> {
  const { tokens = new Set<string>(), lifetimeSeconds = 1799 } = options;
  const tokenRequests: URLSearchParams[] = [];
  const service = await startService(async (request, response) => {
    if (request.path === '/oauth2/token') {
      tokenRequests.push(new URLSearchParams(request.text));
      await options.issue?.(request, response, tokenRequests.length);
      if (response.headersSent) return;
      const token = `access-token-${tokens.size + 1}-${Math.random()}`;
      tokens.add(token);
      sendJson(response, { access_token: token, token_type: 'bearer', expires_in: lifetimeSeconds }, 201);
      return;
    }
    const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
    if (tokens.has(token)) {
      await (options.answer ?? newJob)(request, response);
      return;
    }
    await options.reject?.(request, response);
    if (!response.headersSent) {
      sendFalconError(response, 401, 'access denied, invalid bearer token');
    }
  });
  return Object.assign(service, { tokenRequests, expireTokens: () => tokens.clear() });
}

/** An error as the API gateway of a cloud sends it. */
export function sendFalconError(response: ServerResponse, status: number, message: string): void {
  sendJson(response, { meta: { trace_id: 'a-trace' }, errors: [{ code: status, message }] }, status);
}

function newJob(_request: ReceivedRequest, response: ServerResponse): void {
  sendJson(response, { id: 'P1-job' });
}
