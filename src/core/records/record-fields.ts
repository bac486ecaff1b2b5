/**
 * Fields in which loggers write the level, the service and the message, by precedence: pino, bunyan and winston,
 * OpenTelemetry (`severity_text`, `exception.*`), ECS (`log.level`, `error.*`), Google Cloud, Python.
 */
export const LEVEL_FIELDS = [
  ...['level', 'severity', 'severity_text', 'loglevel', 'log.level', 'levelname', 'severityText', '#level'],
];
export const SERVICE_FIELDS = [
  ...['#service', 'service', 'service.name', 'resource.service.name', 'resource.attributes.service.name'],
  ...['serviceContext.service', 'name', '#app', 'app', '@host'],
];
export const MESSAGE_FIELDS = [
  ...['msg', 'message', '@display', 'body', 'jsonPayload.message', 'textPayload'],
  ...['err.message', 'error.message', 'exception.message', 'event', '@rawstring'],
];
