// A common interface for pino and winston: log, flush if supported, and close as documented.

/**
 * @typedef {object} Logging
 * @property {(record: {message: string, fields: object}) => void} log
 * @property {(done: () => void) => void} [flush] the flush function for users of the logger.
 * @property {() => Promise<void>} close
 * @property {() => object | undefined} stats counters, if the logger has any.
 */

/** pino with a transport in its worker. @returns {Logging} */
export function fromPinoTransport(pino, transportOptions, onLogger) {
  return fromPinoStream(pino, pino.transport(transportOptions), onLogger);
}

/** pino with a stream. @returns {Logging} */
export function fromPinoStream(pino, stream, onLogger = () => {}) {
  const logger = pino(stream);
  onLogger(logger);
  return {
    log: ({ message, fields }) => logger.info(fields, message),
    flush: (done) => logger.flush(done),
    close: () =>
      new Promise((resolve) => {
        stream.once('close', resolve);
        stream.end();
      }),
    stats: () => stream.stats,
  };
}

/** winston with a transport. @returns {Logging} */
export function fromWinston(winston, transport) {
  const logger = winston.createLogger({ transports: [transport] });
  return {
    log: ({ message, fields }) => logger.info(message, fields),
    close: () =>
      new Promise((resolve) => {
        logger.once('finish', resolve);
        logger.end();
      }),
    stats: () => transport.stats,
  };
}
