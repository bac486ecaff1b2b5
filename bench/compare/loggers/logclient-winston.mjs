// The two winston transports of the built package.
import { LogTransport } from 'logclient/winston';
import winston from 'winston';
import { fromWinston } from './adapters.mjs';

const optionsOf = ({ url, token, options }) => ({ baseUrl: url, ingestToken: token, ...options });

export const logclientWinston = (settings) => fromWinston(winston, new LogTransport(optionsOf(settings)));

export const logclientWinstonInProcess = (settings) =>
  fromWinston(winston, new LogTransport({ ...optionsOf(settings), worker: false }));
