import { readJson } from '../../src/engine/formats/json-fields.ts';

/** The frames of the error in {@link ERROR_SPELLINGS}, as Node prints them. */
const FRAMES = [
  '    at charge (/srv/shop/charge.js:4:9)',
  '    at next (/srv/shop/node_modules/express/router.js:1:1)',
].join('\n');
const CAUSE_FRAMES = '    at connect (/srv/shop/bank.js:9:1)';

const STACK = `CardError: card declined\n${FRAMES}`;
const CAUSE_STACK = `Error: bank is closed\n${CAUSE_FRAMES}`;
const WITH_CAUSE = `${STACK}\ncaused by: ${CAUSE_STACK}`;

/** What each view shows for all of these records, without the frames of libraries. */
export const ERROR_VIEW = [
  'CardError [E_CARD]: card declined',
  '    at charge (/srv/shop/charge.js:4:9)',
  '    … 1 frame of packages',
  'caused by Error: bank is closed',
  '    at connect (/srv/shop/bank.js:9:1)',
];

const cause = { name: 'Error', message: 'bank is closed', stack: CAUSE_STACK };

/** One error, as loggers write it, by the name of the spelling. */
export const ERROR_SPELLINGS: Readonly<Record<string, object>> = {
  'pino, causes in the stack': {
    msg: 'payment failed',
    err: {
      type: 'CardError',
      message: 'card declined: bank is closed',
      stack: WITH_CAUSE,
      code: 'E_CARD',
    },
  },
  'pino, nested causes': {
    msg: 'payment failed',
    err: {
      type: 'CardError',
      message: 'card declined',
      stack: STACK,
      code: 'E_CARD',
      cause: { type: 'Error', message: 'bank is closed', stack: CAUSE_STACK },
    },
  },
  'pino, flat names': {
    msg: 'payment failed',
    'err.type': 'CardError',
    'err.message': 'card declined: bank is closed',
    'err.stack': WITH_CAUSE,
    'err.code': 'E_CARD',
  },
  'pino, an AggregateError': {
    msg: 'payment failed',
    err: {
      type: 'CardError',
      message: 'card declined',
      stack: STACK,
      code: 'E_CARD',
      aggregateErrors: [{ type: 'Error', message: 'bank is closed', stack: CAUSE_STACK }],
    },
  },
  bunyan: {
    msg: 'payment failed',
    name: 'shop',
    err: {
      message: 'card declined',
      name: 'CardError',
      stack: `${STACK}\nCaused by: ${CAUSE_STACK}`,
      code: 'E_CARD',
    },
  },
  'console and winston': {
    message: 'payment failed',
    error: { name: 'CardError', message: 'card declined', stack: STACK, cause, code: 'E_CARD' },
  },
  'console, an AggregateError': {
    message: 'payment failed',
    error: { name: 'CardError', message: 'card declined', stack: STACK, errors: [cause], code: 'E_CARD' },
  },
  'console, printed by Node': {
    message: `CardError [E_CARD]: card declined\n${FRAMES} {\n  [cause]: ${CAUSE_STACK}\n}`,
  },
  'winston, errors()': { message: 'card declined', stack: STACK, code: 'E_CARD', cause },
  'console wrappers': { args: ['payment failed', { stack: STACK, code: 'E_CARD', cause }] },
  log4js: { data: ['payment failed', { message: 'card declined', stack: STACK, code: 'E_CARD', cause }] },
  OpenTelemetry: {
    body: 'payment failed',
    'exception.type': 'CardError',
    'exception.message': 'card declined',
    'exception.stacktrace': WITH_CAUSE,
    'exception.code': 'E_CARD',
  },
  'OpenTelemetry, collector': {
    body: 'payment failed',
    attributes: {
      exception: { type: 'CardError', message: 'card declined', stacktrace: WITH_CAUSE, code: 'E_CARD' },
    },
  },
  ECS: {
    message: 'payment failed',
    error: { type: 'CardError', message: 'card declined', stack_trace: WITH_CAUSE, code: 'E_CARD' },
  },
  Datadog: {
    message: 'payment failed',
    error: { kind: 'CardError', message: 'card declined', stack: WITH_CAUSE, code: 'E_CARD' },
  },
  'Google Cloud': { message: 'payment failed', code: 'E_CARD', stack_trace: WITH_CAUSE },
  'AWS Lambda': {
    errorType: 'CardError',
    errorMessage: 'card declined',
    code: 'E_CARD',
    stackTrace: WITH_CAUSE.split('\n'),
  },
  'AWS Lambda, with JSON as log format': {
    level: 'ERROR',
    requestId: 'b1f0',
    message: {
      errorType: 'CardError',
      errorMessage: 'card declined',
      code: 'E_CARD',
      stackTrace: WITH_CAUSE.split('\n'),
    },
  },
  'Ruby, a list of lines': {
    message: 'payment failed',
    exception: {
      class: 'CardError',
      message: 'card declined',
      backtrace: WITH_CAUSE.split('\n').slice(1),
      code: 'E_CARD',
    },
  },
};

/** The fields of a record as the service stores them. */
export function storedFields(record: object): Record<string, string> {
  const fields: Record<string, string> = {};
  readJson(JSON.stringify(record), (path, text) => {
    fields[path] = text;
  });
  return fields;
}
