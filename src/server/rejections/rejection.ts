/** A request, or an event of a request, that the server did not store or process as sent. */
export interface RejectedRequest {
  /** `User-Agent` of the client. */
  readonly client: string;
  /** Name of the token, such as `ingest token "default" of sandbox` or `unknown token`; never the token itself. */
  readonly token: string;
  readonly method: string;
  /** Without the query string. */
  readonly path: string;
  /** HTTP status. 200 if the request was accepted and only the event or the GraphQL field is affected. */
  readonly status: number;
  readonly reason: string;
  /** What to do about it. */
  readonly fix: string;
  /** Start of the record that caused the rejection, if it is known. */
  readonly excerpt?: string | undefined;
}

/** All rejections with the same cause. Client, token, path, reason and excerpt are those of the first one. */
export interface Rejection extends RejectedRequest {
  readonly count: number;
  /** Time of the first rejection, in epoch milliseconds. */
  readonly firstTime: number;
  /** Time of the latest rejection, in epoch milliseconds. */
  readonly lastTime: number;
}

const MAX_EXCERPT = 300;

/** A copy of the start of a string: a slice would keep the whole request in memory. */
export function excerptOf(text: string): string {
  const start = Buffer.from(text.slice(0, MAX_EXCERPT)).toString();
  return text.length > MAX_EXCERPT ? `${start}…` : start;
}
