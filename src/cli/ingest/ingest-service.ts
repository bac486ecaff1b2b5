import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { IngesterOptions, WebCaller } from '../../index.ts';
import { authenticationFailure } from '../command-failure.ts';
import { describeFailure } from '../failure.ts';
import { interruptSignal } from '../interruption.ts';
import { requireSettings, sayIfInsecure } from '../service.ts';
import { connectionOptions } from '../settings/connection-options.ts';
import { type ConnectionSettings, resolveConnection } from '../settings/connection-settings.ts';
import type { IngestFlags } from './ingest-flags.ts';

/** Smaller bodies don't compress well. */
const MIN_GZIP_LENGTH = 1024;

/** The service that lines are sent to. */
export interface IngestService {
  /** Address and credentials for an ingester. */
  readonly target: IngesterOptions;
  /** Sends one request of events with fields. */
  readonly sendStructured: SendBody;
  /** Sends one request of text for a parser. */
  readonly sendUnstructured: SendBody;
  readonly signal: AbortSignal;
}

/** @param body JSON. */
export type SendBody = (body: string, signal: AbortSignal) => Promise<void>;

/**
 * Runs an action with an ingest token, which belongs to a repository; or with a user token and a repository, if a flag
 * sets one of them or no ingest token is set.
 */
export async function withIngest(
  flags: IngestFlags,
  action: (service: IngestService) => Promise<void>,
): Promise<void> {
  const found = await resolveConnection(flags);
  const { ingestToken } = found;
  const asUser = flags.token !== undefined || flags.tokenFile !== undefined || flags.repository !== undefined;
  const isUser = asUser || ingestToken === undefined;
  const settings = isUser ? found : { ...found, token: ingestToken, repository: undefined };
  if (settings.token === undefined) {
    throw authenticationFailure(
      'no token is set. Set LOGSCALE_INGEST_TOKEN, or LOGSCALE_TOKEN and LOGSCALE_REPOSITORY.',
    );
  }
  requireSettings(settings, { repository: isUser });
  sayIfInsecure(settings);
  try {
    await action(await openService(settings, settings.token.value));
  } catch (error) {
    throw describeFailure(error, settings);
  }
}

async function openService(settings: ConnectionSettings, token: string): Promise<IngestService> {
  const { WebCaller } = await import('../../index.ts');
  const { repository, timeoutMs } = settings;
  const { baseUrl, ...connection } = await connectionOptions(settings);
  const credentials =
    repository === undefined ? { ingestToken: token } : { userToken: token, repository: repository.value };
  const caller = new WebCaller(baseUrl, {
    ...connection,
    timeoutMs: timeoutMs.value,
    headers: { authorization: `Bearer ${token}` },
    secrets: [token],
  });
  const scope = `repositories/${encodeURIComponent(repository?.value ?? '')}`;
  return {
    target: { baseUrl, ...connection, requestTimeoutMs: timeoutMs.value, ...credentials },
    sendStructured: sendTo(caller, repository === undefined ? 'ingest/humio-structured' : `${scope}/ingest`),
    sendUnstructured: sendTo(
      caller,
      repository === undefined ? 'ingest/humio-unstructured' : `${scope}/ingest-messages`,
    ),
    signal: interruptSignal(),
  };
}

function sendTo(caller: WebCaller, endpoint: string): SendBody {
  return async (body, signal) => {
    const isSmall = body.length < MIN_GZIP_LENGTH;
    const response = await caller.callRest('POST', endpoint, {
      data: isSmall ? body : await promisify(gzip)(body),
      headers: { 'content-type': 'application/json', ...(isSmall ? {} : { 'content-encoding': 'gzip' }) },
      signal,
    });
    await response.bytes();
  };
}
