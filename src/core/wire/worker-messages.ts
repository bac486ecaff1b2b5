/** How a page talks to the local server in its web worker: each request has a message port, which is its connection. */

/** What the server in the worker starts with: the name of the worker, as JSON. */
export interface WorkerContents {
  /** Stored events by repository, the default one first. */
  readonly repositories: Readonly<Record<string, readonly Readonly<Record<string, string>>[]>>;
  /** Stops the clock at this time, in epoch milliseconds. @default the system clock */
  readonly now?: number;
  /** Lookup files of every repository, by name. @default none */
  readonly files?: Readonly<Record<string, string>>;
  /** What is known of IP addresses, for `ipLocation()` and the like. @default nothing */
  readonly addresses?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Sent to the worker, with the port of the request. */
export interface WorkerRequest {
  readonly method: string;
  /** Path and parameters, such as `/api/v1/status`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | Blob;
}

/** Sent to the port by the worker. */
export type WorkerAnswer =
  | { readonly type: 'progress'; readonly bytes: number }
  | { readonly type: 'head'; readonly status: number; readonly headers: Readonly<Record<string, string>> }
  /** Without bytes, the body has ended. */
  | { readonly type: 'body'; readonly bytes: Uint8Array<ArrayBuffer> | undefined }
  | { readonly type: 'lost' };

/** Sent to the port by the page: it wants more of the body, or no response anymore. */
export type WorkerDemand = 'more' | 'cancel';
