/**
 * Syslog in the query language. The priority is optional, and so is the year, which the time of arrival tells; the time
 * may also be ISO 8601 with an offset, as rsyslog writes it.
 */
export const SYSLOG_SCRIPT = String.raw`case {
  // RFC 5424: <34>1 2026-02-03T10:00:00.123Z host app 123 ID47 [data@1 a="b"] message
  /^<(?<priority>\d{1,3})>(?<version>[1-9]\d{0,2}) (?<_time>\S+) (?<host>\S+) (?<app>\S+) (?<pid>\S+) (?<msgid>\S+) (?<structured_data>-|(?:\[[^\]"]*(?:"(?:[^"\\]|\\.)*"[^\]"]*)*\])+)(?: \ufeff?(?<message>.*))?$/d;
  // ISO 8601: <34>2026-02-03T10:00:00.123+01:00 host app[123]: message
  /^(?:<(?<priority>\d{1,3})>)?(?<_time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)) (?<host>\S+) (?<app>[^\s:\[]+)(?:\[(?<pid>[^\]]*)\])?:? ?(?<message>.*)$/d;
  // RFC 3164: <34>Feb  3 10:00:00 host app[123]: message
  /^(?:<(?<priority>\d{1,3})>)?(?<_time>[A-Z][a-z]{2} [ \d]\d(?: \d{4})? \d\d:\d\d:\d\d(?:\.\d+)?) (?<host>\S+) (?<app>[^\s:\[]+)(?:\[(?<pid>[^\]]*)\])?:? ?(?<message>.*)$/d;
  * | @error := "true" | @event_parsed := "false" | @error_msg := "The text is not a line of syslog.";
}
| case { _time = "-"; _time = * | findTimestamp(_time); * }
| severity := priority % 8
| facility := (priority - severity) / 8
| drop(_time)
| kvParse()`;
