/** What the service of a test says, as data. */

/** A whole answer. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** In the pieces in which it arrives. */
  readonly body: readonly (string | Uint8Array)[];
  /** What comes after the body. @default 'end' */
  readonly ending?: 'end' | 'reset' | 'silence';
}

/** A whole answer; or nothing at all, for ever or until the connection is reset. */
export type Turn = Reply | 'silence' | 'reset';

/**
 * What the service answers, by method and path. Turns are taken one after the other, the last one again and again.
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

/** A request as it went out. */
export interface SentRequest {
  readonly method: string;
  /** Without the query string, as it was sent. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

export function jsonOf(request: SentRequest | undefined): unknown {
  const text = request?.body.toString() ?? '';
  return text === '' ? undefined : JSON.parse(text);
}
