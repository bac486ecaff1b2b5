import { LEVEL_WORDS } from '../severity.ts';
import { ENVELOPE } from './envelopes.ts';
import { LOGFMT } from './logfmt.ts';

/**
 * Common Log Format, with or without the two columns of "combined", a virtual host before it and a response time after it,
 * or the times of nginx and its upstream (`rt=0.123 uct=…`). ingress-nginx writes the length of the request before that time,
 * Traefik a counter and two names. Before something else, an integer may be anything.
 * The client may be a list (`X-Forwarded-For`). Users can have spaces, and Apache writes a quote as `\"`.
 */
export const ACCESS_LOG =
  /^(?:(?<vhost>\S+:\d+(?! - )|[A-Za-z][\w.-]*(?= [\da-f]+[.:][\da-f.:]+,? )) )?(?<client>[^\s,]+)(?:, (?<proxies>\S+(?:, \S+)*))? \S+ (?<userid>-(?= \[)|(?!- )\S+(?: [^\s[]\S*){0,4}) \[(?<time>[^\]]+)\] "(?:(?<method>[^\s"\\]+) (?<url>(?=[^\s"])[^\s"\\]*(?:\\.[^\s"\\]*)*)(?: (?<httpversion>[^\s"\\]+))?|[^"\\]*(?:\\.[^"\\]*)*)" (?<statuscode>\d{3}) (?<responsesize>\d+|-)(?: "(?<referrer>[^"\\]*(?:\\.[^"\\]*)*)" "(?<useragent>[^"\\]*(?:\\.[^"\\]*)*)"(?: "[^"]*")?(?: rt=(?<rt>[\d.]+)(?: uct="?(?<uct>[^\s"]+)"?)?(?: uht="?(?<uht>[^\s"]+)"?)?(?: urt="?(?<urt>[^\s"]+)"?)?| (?:\d+ (?=\d+\.\d+ \[)|\d+ "[^"]*" "[^"]*" )?(?<responsetime>(?!\d+ )\d+(?:[./]\d+)?(?:[mu]?s)?(?=\s|$)))?)?/;
const ISO = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)`;
/** AWS Application Load Balancer. */
const BALANCER = `(?:http|h2|grpc|ws)s? ${ISO} app/`;
/** The first line of two, before a level and a message. In newer Javas, a narrow space precedes AM and PM. */
export const JAVA_HEAD = String.raw`[A-Z][a-z]{2} \d{1,2}, \d{4} \d{1,2}:\d\d:\d\d[^AP\n]{1,3}[AP]M \S+ \S+\r?(?:\n|$)`;
/** The first line of what Node.js and Rust print when a program crashes: only with the next ones it says so. */
export const CRASH_START = String.raw`(?:(?:node:|file:|/|[A-Z]:\\)[^\s]{1,190}:\d+|thread '[^'\n]{0,90}' (?:\(\d+\) )?panicked at [^\s]{1,190}:)(?=\r?(?:\n|$))`;
/** All lines of it up to the marker below the source, or the message. */
export const CRASH_LINES = String.raw`(?:node:|file:|/|[A-Z]:\\)[^\s]{1,190}:\d+\r?\n[^\n]*\n[ \t]*\^[^\r\n]*|thread '[^'\n]{0,90}' (?:\(\d+\) )?panicked at [^\s]{1,190}:\r?\n[^\r\n]+`;
/** The start of what only a program that crashes prints, and no logger. */
export const OWN_CRASH = [
  // Java, Kotlin, .NET
  String.raw`Exception in thread "[^"\n]*" |Unhandled exception\. `,
  // Go, PHP, C++
  'panic: |(?:PHP )?(?:Fatal|fatal) error: |terminate called after throwing ',
  // Rust, Node.js
  String.raw`thread '[^'\n]{0,90}' (?:\(\d+\) )?panicked at `,
  CRASH_LINES,
].join('|');
/** The start of what a program prints when it crashes, and of the stacks that loggers print. */
export const CRASH = [
  // Java, Python, Node.js, .NET, Kotlin
  String.raw`(?:Uncaught (?:\(in promise\) )?)?(?:[\w$]+\.)*[\w$]*(?:Error|Exception|Throwable|KeyboardInterrupt|SystemExit|StopIteration)(?=:[ \r\n]|:?[ \t\r]*(?:\n|$)| [[{(])|Traceback \(most recent call last\)`,
  // Ruby, Elixir
  String.raw`[^\s:]{1,190}:\d+:in [\x60'][^\n]*\([A-Z][\w:]*\)\r?(?:\n|$)|\*\* \([\w.]*Error\) `,
  OWN_CRASH,
].join('|');
/** One of these is in each crash whose first line says so, unless it has the letters "err". */
export const CRASH_MARKS =
  "Exception|exception|Throwable|Interrupt|SystemExit|StopIteration|Traceback|panic|terminate|:in ['`]";
/** What .NET's console writes before the class. */
const CONSOLE_HEAD = String.raw`(?:\[?(?:\d\d:\d\d:\d\d[^\s\]]*|(?<time>\d{4}-[^\s\]]+(?: \d\d:\d\d:\d\d[^\s\]]*)?(?: [+-]\d\d:\d\d)?))\]? ?)?(?<level>trce|dbug|info|warn|fail|crit): `;
/** Where JSON or logfmt may start after a time, and the process of Heroku. */
const INNER = String.raw`\]? (?:(?<app>[^\s:[\]={}"]+)\[(?<pid>[^\]\s]+)\]: )?(?=\{"|[^\s="{}[\]]+=)`;
const DATED = String.raw`\[?(?<time>\d[\d:.,/TZ+-]+(?: \d[\d:.,]+)?(?: ?[+-]\d\d:?\d\d)?)${INNER}`;
/** After the time of syslog: a process with its ID; or a host with a digit, dot or hyphen, or a common process. Text can look alike. */
const SENDER_START = String.raw`(?:\S+ [^\s:[\]]+\[|(?!(?:\S+ )?(?:${LEVEL_WORDS.join('|')})[ :])(?:(?!\d+ )(?=[A-Za-z_]*[\d.-])[\w.-]+ [a-z][\w./@-]*|[a-z]\w* (?:kernel|sudo|su|(?:rsyslog|docker|container|system)d)): )`;
/** Starts every line with columns, JSON or logfmt, without colors. Few others start so. */
export const STRUCTURED_START = new RegExp(
  String.raw`\s*\{|[^\s="{}[\]]+=|<|[A-Z][a-z]{2} |[IWEF]\d|${BALANCER}|${ENVELOPE}|(?:${ISO}|\d{10}\.\d{6}) ${SENDER_START}|${CONSOLE_HEAD}|${DATED.replaceAll(/\?<\w+>/g, '?:')}|\S+(?: \S+){2,7} \[[^\]\n]+\] "`,
  'y',
);
/** After a time, what such a line may have unless it is one of an access log. */
export const STRUCTURED_REST = new RegExp(
  String.raw`\]? ?(?:trce|dbug|info|warn|fail|crit): | (?:std(?:out|err) [FP] |${SENDER_START})|${INNER}`,
  'y',
);
/** What each line of an access log has. */
export const ACCESS_SEAM = '] "';
/** Of journalctl with -o short-full or short-unix. */
const JOURNAL = String.raw`[A-Z][a-z]{2} \d{4}-\d\d-\d\d \d\d:\d\d:\d\d \S+|\d{10}\.\d{6}`;
const SENDER = String.raw`(?<host>\S+) (?<app>[^\s:[\]]+)(?:\[(?<pid>[^\]\s]*)\])?: (?<message>.*)`;

/**
 * Formats of lines with more than a time at the start and a level in the first words, which every line may have. The first
 * that matches reads the line. Groups are fields, except `time`, and `priority` of syslog.
 */
export const TEXT_FORMATS: readonly RegExp[] = [
  // Access logs of nginx, Apache and Caddy.
  ACCESS_LOG,
  // Syslog of RFC 5424.
  /^<(?<priority>\d{1,3})>[1-9]\d{0,2} (?<time>\S+) (?<host>\S+) (?<app>\S+) (?<pid>\S+) (?<msgid>\S+) (?:-|(?:\[[^\]"]*(?:"(?:[^"\\]|\\.)*"[^\]"]*)*\])+) ?\ufeff?(?<message>.*)$/s,
  // Syslog of RFC 3164, rsyslog, journalctl and HAProxy.
  new RegExp(
    `^(?:<(?<priority>\\d{1,3})>)?(?<time>[A-Z][a-z]{2} [ \\d]\\d(?: \\d{4})? \\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?|${JOURNAL}|${ISO}(?= ${SENDER_START})) ${SENDER}$`,
    's',
  ),
  // The console of .NET, with or without a time.
  new RegExp(String.raw`^${CONSOLE_HEAD}(?<class>[^\s[]+)\[(?<eventid>-?\d+)\]\s+(?<message>.*)$`, 's'),
  // klog and glog.
  /^(?<level>[IWEF])(?<time>\d{4} \d\d:\d\d:\d\d\.\d+)\s+(?<pid>\d+) (?<source>[^\s\]]+)\] (?<message>.*)$/s,
  // java.util.logging, with two lines per record.
  /^(?<time>[A-Z][a-z]{2} \d{1,2}, \d{4} \d{1,2}:\d\d:\d\d\s[AP]M) (?<class>\S+) (?<method>\S+)\r?\n(?<level>[A-Z]+): (?<message>.*)$/s,
  // The type of the request, the name of the balancer, and three times: of the balancer, the target and the response.
  new RegExp(
    String.raw`^(?=${BALANCER})(?<type>\S+) (?<time>\S+) (?<host>\S+) (?<client>\S+):\d+ (?<target>\S+) \S+ (?<responsetime>-?[\d.]+) \S+ (?<statuscode>\S+) \S+ \d+ (?<responsesize>\d+) "(?<method>\S+) (?<url>\S+) (?<httpversion>[^"]*)" "(?<useragent>[^"]*)"`,
  ),
  // A time before JSON or logfmt.
  new RegExp(`^${DATED}(?<message>\\{.*\\}\\s*$|${LOGFMT})`, 's'),
];
