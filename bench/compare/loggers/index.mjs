// All loggers that can be compared, by name. Their modules are loaded only in the child process.

const PEERS = new URL('../peers/loggers.mjs', import.meta.url).href;

/**
 * @typedef {object} LoggerEntry
 * @property {string} module
 * @property {string} create name of the module's function that creates the logger.
 * @property {string} protocol
 * @property {'pino' | 'winston'} kind
 */

const own = (create, kind) => ({
  module: new URL(`./logclient-${kind}.mjs`, import.meta.url).href,
  create,
  protocol: 'logscale',
  kind,
  isOwn: true,
});
const peer = (create, protocol, kind) => ({ module: PEERS, create, protocol, kind, isOwn: false });

/** @type {Record<string, LoggerEntry>} */
export const loggers = {
  'logclient pino': own('logclientPino', 'pino'),
  'logclient pino createPinoTransport': own('logclientPinoWorker', 'pino'),
  'logclient pino in-process': own('logclientPinoInProcess', 'pino'),
  'logclient winston': own('logclientWinston', 'winston'),
  'logclient winston in-process': own('logclientWinstonInProcess', 'winston'),
  'pino-loki': peer('pinoLoki', 'loki', 'pino'),
  '@axiomhq/pino': peer('axiomPino', 'axiom', 'pino'),
  '@logtail/pino': peer('logtailPino', 'logtail', 'pino'),
  'pino-opentelemetry-transport': peer('pinoOpentelemetry', 'otlp', 'pino'),
  'pino-elasticsearch': peer('pinoElasticsearch', 'elasticsearch', 'pino'),
  'winston-loki': peer('winstonLoki', 'loki', 'winston'),
  '@axiomhq/winston': peer('axiomWinston', 'axiom', 'winston'),
  '@logtail/winston': peer('logtailWinston', 'logtail', 'winston'),
  'winston-elasticsearch': peer('winstonElasticsearch', 'elasticsearch', 'winston'),
  'winston Http': peer('winstonHttp', 'plain', 'winston'),
};

export const ownLoggers = Object.keys(loggers).filter((name) => loggers[name].isOwn);
