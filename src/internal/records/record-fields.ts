/** Fields in which loggers write the level, the service, the message and the stack, by precedence. */
export const LEVEL_FIELDS = ['level', 'severity', 'severity_text', 'loglevel', 'log.level'];
export const SERVICE_FIELDS = ['#service', 'service', 'service.name', 'name', '#app', 'app', '@host'];
export const MESSAGE_FIELDS = [
  'msg',
  'message',
  '@display',
  'err.message',
  'error.message',
  'event',
  '@rawstring',
];
export const ERROR_MESSAGE_FIELDS = ['err.message', 'error.message', 'cause.message'];
export const STACK_FIELDS = ['err.stack', 'error.stack', 'stack', 'stack[0]', 'exception.stacktrace'];
