/** From the fewest lines to the most. */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

interface AnsweredRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
}

/** What a server is given to tell of its requests and its troubles. */
export interface ServeLog {
  readonly onRequest: (request: AnsweredRequest) => void;
  readonly onWarning: (message: string) => void;
}

/** Asked again and again: a page of them says nothing. */
const REPEATED = /^(GET \S*\/queryjobs\/|(GET|HEAD) \S*\/(status|is-node-up|health\S*|_cluster\/health)$)/;

/** Writes a line for each request and warning that is worth one at the level. Tokens are in none of them. */
export function serveLog(level: LogLevel, write: (text: string) => void): ServeLog {
  const tell = (of: LogLevel, text: string): void => {
    if (LOG_LEVELS.indexOf(of) > LOG_LEVELS.indexOf(level)) return;
    write(`${new Date().toISOString()} ${of.padEnd(5)} ${text}\n`);
  };
  return {
    onWarning: (message) => tell('warn', message),
    onRequest: (request) => {
      const { method, path, status, durationMs } = request;
      const outcome = status === 0 ? 'cut off' : String(status);
      tell(levelOf(request), `${method} ${path} ${outcome} ${durationMs.toFixed(1)} ms`);
    },
  };
}

function levelOf({ method, path, status }: AnsweredRequest): LogLevel {
  if (status >= 500 || status === 0) return 'error';
  if (status >= 400) return 'warn';
  return REPEATED.test(`${method} ${path}`) ? 'debug' : 'info';
}
