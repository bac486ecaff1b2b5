/**
 * Why an event of a line has a time that it does not say: `unknown` if no line of its file says one, `arrival` for a line
 * of a pipe or a followed file. Other events do not have this field.
 */
export const TIME_SOURCE = '@timestamp.source';

/** The first record in a line of the file exporter of the OpenTelemetry collector. */
const OTLP_RECORD = 'resourceLogs[0].scopeLogs[0].logRecords[0]';

/**
 * Fields in which programs write the time, the level, the service and the message, by precedence: pino, bunyan and winston,
 * zap, OpenTelemetry (`severity_text`, `exception.*`), ECS (`log.level`, `error.*`), Google Cloud, Python, CLEF (`@t`,
 * `@l`), go-kit (`lvl`), MongoDB (`t.$date`), nginx (`time_iso8601`), journald (`PRIORITY`), GELF (`short_message`), PowerShell (`TimeCreated`), .NET (`LogLevel`), CSV
 * of PostgreSQL (`log_time`), events and audit of Kubernetes, log4j2 (`instant`, `timeMillis`).
 */
export const TIME_FIELDS = [
  ...['@timestamp', 'timestamp', 'time', 'ts', '@t', 't.$date', 'datetime', 'date', 'asctime', 'eventTime'],
  ...['time_iso8601', 'time_local', 'msec', '__REALTIME_TIMESTAMP', 'TimeCreated', 'Timestamp', 'log_time'],
  ...['lastTimestamp', 'requestReceivedTimestamp', 'instant', 'timeMillis'],
  ...['event_time', 'logTime', 'created_at'],
  `${OTLP_RECORD}.timeUnixNano`,
];
export const LEVEL_FIELDS = [
  ...['level', 'severity', 'severity_text', 'loglevel', 'log.level', 'levelname', 'severityText', '#level'],
  ...['lvl', '@l', 'PRIORITY', 'LevelDisplayName', 'LogLevel', 'error_severity'],
  `${OTLP_RECORD}.severityText`,
];
export const SERVICE_FIELDS = [
  ...['#service', 'service', 'service.name', 'resource.service.name', 'resource.attributes.service.name'],
  ...['serviceContext.service', 'name', '#app', 'app', '@host', 'SYSLOG_IDENTIFIER', 'ProviderName'],
];
export const MESSAGE_FIELDS = [
  ...['msg', 'message', 'message.errorMessage', '@display', 'body', 'jsonPayload.message', 'textPayload'],
  ...['err.message', 'error.message', 'exception.message', 'event', '@m', '@mt', 'MESSAGE', 'short_message'],
  ...['Message', `${OTLP_RECORD}.body.stringValue`, '@rawstring'],
];
/** The method and the URL of a request, as access logs, pino-http, ECS, Google Cloud and nginx name them. */
export const REQUEST_FIELDS = [
  ['method', 'req.method', 'http.request.method', 'request_method', 'httpRequest.requestMethod'],
  ['url', 'req.url', 'path', 'url.path', 'request_uri', 'uri', 'httpRequest.requestUrl'],
];
/** The fields of a record that its readers look for. */
export const RECORD_FIELDS = [...TIME_FIELDS, ...LEVEL_FIELDS, ...SERVICE_FIELDS, ...MESSAGE_FIELDS];
