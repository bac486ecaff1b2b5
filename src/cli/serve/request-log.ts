/** From least to most verbose. */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

interface AnsweredRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
}

/** The hooks of a server that feed its log. */
export interface RequestLog {
  readonly onRequest: (request: AnsweredRequest) => void;
  readonly onWarning: (message: string) => void;
}

/** Polls and health checks, logged only at the level debug. */
const REPEATED = /^(GET \S*\/queryjobs\/|(GET|HEAD) \S*\/(status|is-node-up|health\S*|_cluster\/health)$)/;

/** Logs requests and warnings up to a level, one line each. Lines never contain tokens. */
export function requestLog(level: LogLevel, write: (text: string) => void): RequestLog {
  const tell = (of: LogLevel, text: string): void => {
    if (LOG_LEVELS.indexOf(of) > LOG_LEVELS.indexOf(level)) return;
    write(`${new Date().toISOString()} ${of.padEnd(5)} ${text}\n`);
  };
  return {
    onWarning: (message) => tell('warn', message),
    onRequest: (request) => {
      const { method, path, status, durationMs } = request;
      const outcome = status === 0 ? 'aborted' : String(status);
      tell(levelOf(request), `${method} ${path} ${outcome} ${durationMs.toFixed(1)} ms`);
    },
  };
}

function levelOf({ method, path, status }: AnsweredRequest): LogLevel {
  if (status >= 500 || status === 0) return 'error';
  if (status >= 400) return 'warn';
  return REPEATED.test(`${method} ${path}`) ? 'debug' : 'info';
}
