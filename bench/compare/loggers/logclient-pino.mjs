// The three pino transports of the built package.
import { createPinoStream, createPinoTransport, flushOnSignals } from 'logclient/pino';
import pino from 'pino';
import { fromPinoStream, fromPinoTransport } from './adapters.mjs';

const optionsOf = ({ url, token, options }) => ({ baseUrl: url, ingestToken: token, ...options });

/** pino's own worker receives no signals, so the program handles them. */
export function logclientPino(settings) {
  const { flushOnSignals: onSignals, ...options } = optionsOf(settings);
  return fromPinoTransport(pino, { target: 'logclient/pino', options }, (logger) => {
    if (onSignals) flushOnSignals(logger);
  });
}

export const logclientPinoWorker = (settings) =>
  fromPinoStream(pino, createPinoTransport(optionsOf(settings)));

export const logclientPinoInProcess = (settings) =>
  fromPinoStream(pino, createPinoStream(optionsOf(settings)));
