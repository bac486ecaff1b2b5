import { muted } from '../console/patch-console.ts';

/** The exports of winston. */
export interface Winston {
  readonly Logger: { readonly prototype: WinstonLogger };
}

export interface WinstonLogger {
  add(transport: WinstonTransport): unknown;
}

interface WinstonTransport {
  log?: ((...args: never[]) => unknown) | undefined;
}

/** Many loggers may share a transport. */
const mutedTransports = new WeakSet<object>();

/** Calls `capture` with each logger of this copy of winston that gets a transport. */
export function patchWinston({ Logger }: Winston, capture: (logger: object) => void): void {
  const { add } = Logger.prototype;
  Logger.prototype.add = function (transport): unknown {
    const result = add.call(this, transport);
    muteConsole(transport);
    capture(this);
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
