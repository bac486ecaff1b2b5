import { createPinoStream } from 'logclient/pino';
import morgan from 'morgan';

const json = (tokens, request, response) =>
  JSON.stringify({
    level: 'info',
    message: `${tokens.method(request)} ${tokens.url(request)}`,
    status: Number(tokens.status(request, response)),
    ms: Number(tokens['response-time'](request, response)),
  });

/** Express: `app.use(accessLog)` */
export const accessLog = morgan(json, { stream: createPinoStream() });
