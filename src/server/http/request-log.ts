import { callHook } from '../../core/hook-call.ts';
import { holds } from '../faults/fault-script.ts';

/** A request that the server responded to or whose connection it dropped. */
export interface RequestRecord {
  readonly method: string;
  /** Without the query string. */
  readonly path: string;
  /** 0 if the connection was dropped before a response. */
  readonly status: number;
}

/** A request whose response starts. */
export interface AnsweredRequest extends RequestRecord {
  /** Time from the arrival of the request to the start of the response, in milliseconds. */
  readonly durationMs: number;
}

/** Filter of requests. */
export interface RequestFilter {
  /** @default any */
  method?: string;
  /** String that the path contains, or RegExp that it matches. @default any */
  path?: string | RegExp;
  /** @default any */
  status?: number;
}

const MAX_RECORDS = 10_000;

export interface RequestLogOptions {
  readonly onRequest?: ((request: AnsweredRequest) => void) | undefined;
  readonly onWarning: (message: string) => void;
}

/** The latest requests of a server, for tests. */
export class RequestLog {
  readonly #options: RequestLogOptions;
  #records: RequestRecord[] = [];

  constructor(options: RequestLogOptions) {
    this.#options = options;
  }

  add(record: RequestRecord, durationMs: number): void {
    this.#records.push(record);
    if (this.#records.length > 2 * MAX_RECORDS) this.#records = this.#records.slice(-MAX_RECORDS);
    const { onRequest, onWarning } = this.#options;
    callHook(
      () => onRequest?.({ ...record, durationMs }),
      (error) => onWarning(`onRequest failed: ${error instanceof Error ? error.message : String(error)}`),
    );
  }

  /** Oldest first. */
  list({ method, path, status }: RequestFilter = {}): RequestRecord[] {
    return this.#records.filter(
      (record) =>
        (method === undefined || record.method === method.toUpperCase()) &&
        (status === undefined || record.status === status) &&
        (path === undefined || holds(record.path, path)),
    );
  }
}
