import type { Ingester } from '../../../src/ingest/ingester.ts';
import type { RejectionReason } from './rejection.ts';

/** The headers of a request. */
export interface RequestHeaders {
  get(name: string): string | null;
}

/** Counters of a handler. */
export interface IngestHandlerStats {
  /** Requests, including rejected ones. */
  readonly requests: number;
  /** Records passed to the ingester. */
  readonly records: number;
  /** Fields that were removed: not allowed, too deep, or with an invalid name. */
  readonly removedFields: number;
  /** Rejected requests by reason. */
  readonly rejected: Readonly<Record<RejectionReason, number>>;
}

/** Receives records from browsers. Returned by `createIngestHandler`. Never rejects. */
export interface IngestHandler {
  (request: Request): Promise<Response>;
  /** Handles a request whose connection has a known address, for `maxRequestsPerMinute`. */
  handle(request: Request, remoteAddress: string | undefined): Promise<Response>;
  readonly stats: IngestHandlerStats;
  /** Delivers the records. Call `ingester.close()` when the server stops. */
  readonly ingester: Ingester;
}
