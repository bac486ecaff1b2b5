import { isMarked } from '../../../src/ingest/kit/transport-mark.ts';
import { muted } from '../console/patch-console.ts';

/** The exports of winston. */
export interface Winston {
  readonly Logger: { readonly prototype: WinstonLogger };
}

export interface WinstonLogger {
  readonly level?: string;
  readonly levels?: Readonly<Record<string, number>>;
  readonly transports: readonly WinstonTransport[];
  add(transport: WinstonTransport): unknown;
  remove(transport: WinstonTransport): unknown;
}

export interface WinstonTransport {
  readonly level?: string | undefined;
  readonly silent?: boolean | undefined;
  readonly handleExceptions?: boolean | undefined;
  log?: ((...args: never[]) => unknown) | undefined;
}

/** The transports that capture, not those of the program. */
const captures = new WeakSet<object>();

/** Many loggers may share a transport. */
const mutedTransports = new WeakSet<object>();

/**
 * Gives each logger of this copy of winston a transport that captures, with the first transport of the program. If the
 * program adds our transport itself, it is the only one.
 */
export function patchWinston(
  { Logger }: Winston,
  createTransport: (logger: WinstonLogger) => WinstonTransport,
): void {
  const { add } = Logger.prototype;
  Logger.prototype.add = function (transport): unknown {
    const result = add.call(this, transport);
    muteConsole(transport);
    const capture = this.transports.find((each) => captures.has(each));
    const isDelivered = this.transports.some(isMarked);
    if (isDelivered && capture !== undefined) this.remove(capture);
    if (isDelivered || capture !== undefined) return result;
    const created = createTransport(this);
    captures.add(created);
    add.call(this, created);
    return result;
  };
}

/** winston's console transport may print with the console, which is captured, too. */
function muteConsole(transport: WinstonTransport): void {
  const { log } = transport;
  if (typeof log !== 'function' || mutedTransports.has(transport)) return;
  mutedTransports.add(transport);
  Reflect.set(transport, 'log', function (this: unknown, ...args: never[]): unknown {
    return muted(() => log.apply(this, args));
  });
}
