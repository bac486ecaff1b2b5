/** The parts of Next.js that this entry uses. Next.js is too large for a development dependency. */
declare module 'next/server.js' {
  /** Runs a task after the response is sent. Throws outside of a request. */
  export function after(task: () => unknown): void;

  export class NextResponse extends Response {
    /** Continues to the route, with other request headers. */
    static next(init: { request: { headers: Headers } }): NextResponse;
  }
}
