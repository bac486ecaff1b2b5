/** Parts of the response to a request that are read here. */
export interface BrowserResponse {
  /** Address of the response, after redirects. */
  readonly url: string;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  json(): Promise<unknown>;
}

/** The APIs of a browser that the logger uses. Workers, old browsers and privacy settings lack some of them. */
export interface BrowserGlobals {
  readonly origin: string;
  readonly location?: { readonly origin: string; readonly pathname: string; readonly href: string };
  readonly document?: { readonly baseURI: string };
  readonly navigator: {
    readonly onLine?: boolean;
    readonly locks?: { request(name: string, run: () => unknown): Promise<unknown> };
    sendBeacon?(url: string, body: string): boolean;
  };
  /** Its own properties are what is stored. Reading it throws if the user blocks storage. */
  readonly localStorage: {
    getItem(key: string): string | null;
    setItem(key: string, value: string): void;
    removeItem(key: string): void;
  };
  fetch(url: string, options: object): Promise<BrowserResponse>;
  setTimeout(run: () => void, delayMs: number): unknown;
  clearTimeout(timer: unknown): void;
  addEventListener(name: string, listener: (event: BrowserEvent) => void): void;
}

/** Members of the events that the logger handles. */
export interface BrowserEvent {
  readonly message?: string;
  readonly error?: unknown;
  readonly reason?: unknown;
  readonly filename?: string;
  readonly lineno?: number;
  readonly blockedURI?: string;
  readonly disposition?: string;
}
