import type {
  BrowserEvent,
  BrowserGlobals,
  BrowserResponse,
} from '../../transports/web/browser/browser-globals.ts';
import { createLoggerIn, type Logger, type LoggerOptions } from '../../transports/web/browser/logger.ts';

export interface ReceivedBody {
  readonly sentAt: number;
  readonly lost: number;
  readonly records: readonly {
    readonly timestamp: number;
    readonly level: string;
    readonly message: string;
    readonly fields: Record<string, unknown>;
  }[];
}

/** Response of the fake server, or a failed connection. */
export type FakeAnswer =
  | {
      readonly status: number;
      readonly retryAfter?: string;
      readonly accepted?: number;
      /** True if something else than the handler responds. */
      readonly isForeign?: boolean;
      /** Address after redirects. */
      readonly url?: string;
    }
  | 'unreachable';

interface FetchOptions {
  readonly body: string;
  readonly mode: string;
}

/** A website in a browser: the server, and state that survives a page. */
export class FakeSite {
  /** Bodies of accepted requests and of beacons. */
  readonly received: ReceivedBody[] = [];
  requests = 0;
  /** Modes of the requests. */
  readonly modes = new Set<string>();
  readonly storage = new Map<string, string>();
  answer: (body: ReceivedBody, text: string) => FakeAnswer = () => ({ status: 204 });
  isOnline = true;
  isStorageBlocked = false;
  /** Maximum bytes of beacons per page. */
  beaconBytes = 65_536;

  get records() {
    return this.received.flatMap(({ records }) => records);
  }

  get reportedLost(): number {
    return this.received.reduce((sum, { lost }) => sum + lost, 0);
  }

  get savedLost(): number {
    return [...this.storage.values()].reduce((sum, count) => sum + Number(count), 0);
  }

  openPage(options: LoggerOptions = {}): FakePage {
    return new FakePage(this, options);
  }
}

export class FakePage {
  readonly log: Logger;
  readonly #listeners: { readonly name: string; readonly listener: (event: BrowserEvent) => void }[] = [];
  readonly #site: FakeSite;
  readonly #globals: BrowserGlobals;

  constructor(site: FakeSite, options: LoggerOptions) {
    this.#site = site;
    this.#globals = this.#createGlobals();
    this.log = this.openLogger(options);
  }

  /** Another logger of the same page. */
  openLogger(options: LoggerOptions): Logger {
    return createLoggerIn(this.#globals, options);
  }

  dispatch(name: string, event: BrowserEvent = {}): void {
    for (const entry of this.#listeners) if (entry.name === name) entry.listener(event);
  }

  #createGlobals(): BrowserGlobals {
    const site = this.#site;
    let beaconBytes = site.beaconBytes;
    return {
      origin: 'https://shop.example',
      location: {
        origin: 'https://shop.example',
        pathname: '/cart',
        href: 'https://shop.example/cart?id=1#x',
      },
      document: { baseURI: 'https://shop.example/cart?id=1' },
      navigator: {
        get onLine() {
          return site.isOnline;
        },
        sendBeacon(_, body) {
          if (body.length > beaconBytes) return false;
          beaconBytes -= body.length;
          site.received.push(JSON.parse(body));
          return true;
        },
      },
      get localStorage() {
        if (site.isStorageBlocked) throw new DOMException('Access denied', 'SecurityError');
        const { storage } = site;
        const methods = {
          getItem: (key: string) => storage.get(key) ?? null,
          setItem: (key: string, value: string) => void storage.set(key, value),
          removeItem: (key: string) => void storage.delete(key),
        };
        return Object.assign(Object.create(methods) as typeof methods, Object.fromEntries(storage));
      },
      fetch: (url, options) => this.#fetch(url, options as FetchOptions),
      setTimeout: (run, delayMs) => setTimeout(run, delayMs),
      clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
      addEventListener: (name, listener) => void this.#listeners.push({ name, listener }),
    };
  }

  async #fetch(path: string, { body: text, mode }: FetchOptions): Promise<BrowserResponse> {
    const site = this.#site;
    site.requests++;
    site.modes.add(mode);
    const body: ReceivedBody = JSON.parse(text);
    const answer = site.isOnline ? site.answer(body, text) : 'unreachable';
    if (answer === 'unreachable') throw new TypeError('Failed to fetch');
    const {
      status,
      retryAfter,
      accepted,
      isForeign,
      url = new URL(path, 'https://shop.example').href,
    } = answer;
    if (status === 204) site.received.push(body);
    else if (accepted) site.received.push({ ...body, lost: 0, records: body.records.slice(0, accepted) });
    return {
      status,
      url,
      headers: {
        get: (name) =>
          (name === 'retry-after' ? retryAfter : isForeign && 'text/html; charset=utf-8') || null,
      },
      json: async () => ({ error: 'x', accepted, ...(!isForeign && { reason: 'busy' }) }),
    };
  }
}
