// The peers, with the options that they come with. They are installed in this folder alone: `npm install` here.
import pino from 'pino';
import winston from 'winston';
import { fromPinoTransport, fromWinston } from '../loggers/adapters.mjs';

export const pinoLoki = ({ url }) => fromPinoTransport(pino, { target: 'pino-loki', options: { host: url } });

export const axiomPino = ({ url, token }) =>
  fromPinoTransport(pino, { target: '@axiomhq/pino', options: { dataset: 'logs', token, url } });

export const logtailPino = ({ url, token }) =>
  fromPinoTransport(pino, {
    target: '@logtail/pino',
    options: { sourceToken: token, options: { endpoint: url } },
  });

export const pinoOpentelemetry = ({ url }) =>
  fromPinoTransport(pino, {
    target: 'pino-opentelemetry-transport',
    options: {
      logRecordProcessorOptions: {
        recordProcessorType: 'batch',
        exporterOptions: {
          protocol: 'http/protobuf',
          protobufExporterOptions: { url: `${url}/v1/logs` },
        },
      },
    },
  });

export const pinoElasticsearch = ({ url, token }) =>
  fromPinoTransport(pino, {
    target: 'pino-elasticsearch',
    options: { node: url, index: 'logs', esVersion: 8, auth: { apiKey: token } },
  });

export const winstonLoki = async ({ url }) => {
  const { default: LokiTransport } = await import('winston-loki');
  return fromWinston(winston, new LokiTransport({ host: url }));
};

export const axiomWinston = async ({ url, token }) => {
  const { WinstonTransport } = await import('@axiomhq/winston');
  return fromWinston(winston, new WinstonTransport({ dataset: 'logs', token, url }));
};

export const logtailWinston = async ({ url, token }) => {
  const { Logtail } = await import('@logtail/node');
  const { LogtailTransport } = await import('@logtail/winston');
  return fromWinston(winston, new LogtailTransport(new Logtail(token, { endpoint: url })));
};

export const winstonElasticsearch = async ({ url, token }) => {
  const { ElasticsearchTransport } = await import('winston-elasticsearch');
  const transport = new ElasticsearchTransport({ clientOpts: { node: url, auth: { apiKey: token } } });
  return fromWinston(winston, transport);
};

export const winstonHttp = ({ url }) => {
  const { hostname: host, port } = new URL(url);
  return fromWinston(
    winston,
    new winston.transports.Http({ host, port: Number(port), path: '/logs', batch: true }),
  );
};
