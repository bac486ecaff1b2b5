import { BaseLogClient, tokenCaller } from './base-client.ts';
import { type LogIngestClientOptions, resolveLogIngestClientOptions } from './client-options.ts';

/** A client that can only ingest. Its token determines the repository. */
export class LogIngestClient extends BaseLogClient {
  /** @throws LogOptionsException */
  constructor(options: LogIngestClientOptions = {}) {
    const { token, connection } = resolveLogIngestClientOptions(options);
    super(tokenCaller(token, connection, 'LOGSCALE_INGEST_TOKEN'), {
      structured: 'ingest/humio-structured',
      unstructured: 'ingest/humio-unstructured',
    });
  }
}
