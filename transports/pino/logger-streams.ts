import { LogOptionsException } from '../../src/core/errors.ts';

/** Common interface of a logger's streams: pino's worker, a stream of this package, a file. */
export interface EndableStream {
  end(): void;
  flush?(callback: () => void): unknown;
  write?(line: string): unknown;
  on(event: 'error', listener: () => void): unknown;
  once(event: 'close', listener: () => void): unknown;
  readonly destroyed?: boolean;
}

/** Description of the symbol that names the stream in a pino logger. */
export const STREAM_SYMBOL = 'pino.stream';

/** Finds the streams of a logger or a multistream. @throws LogOptionsException for any other target. */
export function streamsOf(owner: string, target: unknown): EndableStream[] {
  const transports = (target as { transports?: unknown } | null | undefined)?.transports;
  if (Array.isArray(transports)) {
    throw new LogOptionsException(
      `${owner}: this is a winston logger. Call flush() of its LogTransport, or logger.end() and wait for "finish".`,
    );
  }
  const streams = findStreams(target);
  if (streams.length > 0) return streams;
  throw new LogOptionsException(
    `${owner}: pass a pino logger, or the stream returned by pino.transport() or pino.multistream().`,
  );
}

/** The streams of a logger or a multistream, such as pino's worker. */
export function findStreams(target: unknown): EndableStream[] {
  if (typeof target !== 'object' || target === null) return [];
  if ('streams' in target && Array.isArray(target.streams)) {
    return target.streams.flatMap((entry?: { stream?: unknown }) => findStreams(entry?.stream));
  }
  if ('end' in target && typeof target.end === 'function') return [target as EndableStream];
  const symbol = symbolOf(target, STREAM_SYMBOL);
  return symbol === undefined ? [] : findStreams((target as Record<symbol, unknown>)[symbol]);
}

/** Each copy of pino has its own symbols. Child loggers inherit members from their parent through the prototype. */
export function symbolOf(logger: object, description: string): symbol | undefined {
  for (let owner: object | null = logger; owner !== null; owner = Object.getPrototypeOf(owner)) {
    const symbols = Object.getOwnPropertySymbols(owner);
    const symbol = symbols.find((each) => each.description === description);
    if (symbol !== undefined) return symbol;
  }
  return undefined;
}
