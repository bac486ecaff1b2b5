/** A request that the server has answered, or has cut. */
export interface RequestRecord {
  readonly method: string;
  /** Without the query string. */
  readonly path: string;
  /** 0 when the connection was cut before an answer. */
  readonly status: number;
}

/** Which requests to count. */
export interface RequestFilter {
  /** @default any */
  method?: string;
  /** Contained in the path, or matching it. @default any */
  path?: string | RegExp;
  /** @default any */
  status?: number;
}

const MAX_RECORDS = 10_000;

/** The last requests of a server, for tests that ask what was sent. */
export class RequestLog {
  #records: RequestRecord[] = [];

  add(record: RequestRecord): void {
    this.#records.push(record);
    if (this.#records.length > 2 * MAX_RECORDS) this.#records = this.#records.slice(-MAX_RECORDS);
  }

  /** Oldest first. */
  list({ method, path, status }: RequestFilter = {}): RequestRecord[] {
    return this.#records.filter(
      (record) =>
        (method === undefined || record.method === method.toUpperCase()) &&
        (status === undefined || record.status === status) &&
        (path === undefined ||
          (typeof path === 'string' ? record.path.includes(path) : record.path.search(path) !== -1)),
    );
  }
}
