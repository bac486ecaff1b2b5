/** What the service of a test says, as data. */

/** A complete response. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Chunks as they arrive. */
  readonly body: readonly (string | Uint8Array)[];
  /** What follows the body. @default 'end' */
  readonly ending?: 'end' | 'reset' | 'silence';
}

/** A complete response; or none, forever or until the connection is reset. */
export type Turn = Reply | 'silence' | 'reset';

/**
 * The service's responses, by method and path. They are sent in order; the last one is repeated.
 *
 * ```ts
 * { 'GET /api/v1/status': [reply] }
 * ```
 */
export type Script = Readonly<Record<string, readonly Turn[]>>;

/** Method, path and turns of each entry. */
export function entriesOf(script: Script): { method: string; path: string; turns: readonly Turn[] }[] {
  return Object.entries(script).map(([call, turns]) => {
    const space = call.indexOf(' ');
    return { method: call.slice(0, space), path: call.slice(space + 1), turns };
  });
}

/** A request as sent. */
export interface SentRequest {
  readonly method: string;
  /** As sent, without the query string. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

export function jsonOf(request: SentRequest | undefined): unknown {
  const text = request?.body.toString() ?? '';
  return text === '' ? undefined : JSON.parse(text);
}
