import { ENVELOPE } from './envelopes.ts';

/** A format of text lines. */
export interface TextFormat {
  readonly name: string;
  /**
   * Finds more than a time at the start of a line and a level in its first words, which every line may have. Groups are
   * fields, except `time`, and `priority` of syslog.
   */
  readonly columns?: RegExp;
  readonly examples: readonly [string, string, string];
}

/**
 * Common Log Format, with or without the two columns of "combined", a virtual host before it and a response time after it.
 * The client may be a list (`X-Forwarded-For`). Users can have spaces, and Apache writes a quote as `\"`.
 */
export const ACCESS_LOG =
  /^(?:(?<vhost>\S+:\d+(?! - )|[A-Za-z][\w.-]*(?= [\da-f]+[.:][\da-f.:]+,? )) )?(?<client>[^\s,]+)(?:, (?<proxies>\S+(?:, \S+)*))? \S+ (?<userid>-(?= \[)|(?!- )\S+(?: [^\s[]\S*){0,4}) \[(?<time>[^\]]+)\] "(?:(?<method>[^\s"\\]+) (?<url>(?=[^\s"])[^\s"\\]*(?:\\.[^\s"\\]*)*)(?: (?<httpversion>[^\s"\\]+))?|[^"\\]*(?:\\.[^"\\]*)*)" (?<statuscode>\d{3}) (?<responsesize>\d+|-)(?: "(?<referrer>[^"\\]*(?:\\.[^"\\]*)*)" "(?<useragent>[^"\\]*(?:\\.[^"\\]*)*)"(?: (?<responsetime>[^\s"]\S*))?)?/;
const ISO = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)`;
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
/** Starts every line with columns, JSON or logfmt, without colors. Few others start so. */
export const STRUCTURED_START = new RegExp(
  String.raw`\s*\{|[^\s="{}[\]]+=|<|[A-Z][a-z]{2} |[IWEF]\d|${ENVELOPE}|(?:${ISO}|\d{10}\.\d{6}) \S+ \S+\[|${CONSOLE_HEAD}|\S+(?: \S+){2,7} \[[^\]\n]+\] "`,
  'y',
);
/** After a time, what such a line may have unless it is one of an access log. */
export const STRUCTURED_REST =
  /\]? ?(?:trce|dbug|info|warn|fail|crit): | (?:std(?:out|err) [FP] |\S+ \S+\[)/y;
/** What each line of an access log has. */
export const ACCESS_SEAM = '] "';
/** Of journalctl with -o short-full or short-unix. */
const JOURNAL = String.raw`[A-Z][a-z]{2} \d{4}-\d\d-\d\d \d\d:\d\d:\d\d \S+|\d{10}\.\d{6}`;
const SENDER = String.raw`(?<host>\S+) (?<app>[^\s:[\]]+)(?:\[(?<pid>[^\]\s]*)\])?: (?<message>.*)`;

/** The first one whose columns match reads a line. */
export const TEXT_FORMATS: readonly TextFormat[] = [
  {
    name: 'access log of nginx, Apache and Caddy',
    columns: ACCESS_LOG,
    examples: [
      '10.0.0.1 - eve [28/Nov/2026:04:14:55 +0000] "GET /cart?x=1 HTTP/1.1" 404 17 "-" "curl/8.5"',
      '10.0.0.1 - - [28/Nov/2026:04:15:55 +0000] "-" 400 -',
      'shop.example:443 2001:db8::1 - eve smith [28/Nov/2026:05:16:55 +0100] "POST /orders?q=\\"x\\" HTTP/2.0" 201 512 "https://shop.example" "Mozilla/5.0 (\\"X11\\")" 0.012',
    ],
  },
  {
    name: 'syslog of RFC 5424',
    columns:
      /^<(?<priority>\d{1,3})>[1-9]\d{0,2} (?<time>\S+) (?<host>\S+) (?<app>\S+) (?<pid>\S+) (?<msgid>\S+) (?:-|(?:\[[^\]"]*(?:"(?:[^"\\]|\\.)*"[^\]"]*)*\])+) ?\ufeff?(?<message>.*)$/s,
    examples: [
      '<34>1 2026-11-28T04:14:55.759Z web-1 sshd 123 ID47 - Failed password for root',
      '<165>1 2026-11-28T04:15:55.759Z web-1 shop - - [data@1 a="b"] order placed',
      '<27>1 2026-11-28T05:16:55.759123+01:00 web-1 nginx 7 - - upstream timed out',
    ],
  },
  {
    name: 'syslog of RFC 3164, rsyslog, journalctl and HAProxy',
    columns: new RegExp(
      `^(?:<(?<priority>\\d{1,3})>)?(?<time>[A-Z][a-z]{2} [ \\d]\\d(?: \\d{4})? \\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?|${JOURNAL}|${ISO}(?= \\S+ [^\\s:[\\]]+\\[)) ${SENDER}$`,
      's',
    ),
    examples: [
      'Nov 28 04:14:55 web-1 sshd[123]: Failed password for root from 10.0.0.1 port 22 ssh2',
      '<30>Nov 28 04:15:55 web-1 haproxy[7]: 10.0.0.1:51234 [28/Nov/2026:04:15:55.759] front back/web 0/0/1/2/3 200 512 - - ---- 1/1/0/0/0 0/0 "GET / HTTP/1.1"',
      '2026-11-28T04:16:55.759123+00:00 web-1 systemd[1]: Started Shop.',
    ],
  },
  {
    name: 'containers of Kubernetes (CRI)',
    examples: [
      '2026-11-28T04:14:55.759123456Z stdout F {"level":30,"time":1795839295759,"msg":"order placed"}',
      '2026-11-28T04:15:55.759123456Z stderr F level=error msg="order failed"',
      '2026-11-28T04:16:55.759123456Z stdout F ERROR order failed',
    ],
  },
  {
    name: 'docker compose logs',
    examples: [
      'web-1  | {"level":50,"time":1795839295759,"msg":"order failed"}',
      'db-1   | 2026-11-28 04:15:55.759 UTC [1] LOG:  database system is ready to accept connections',
      'web-1  | ts=2026-11-28T04:16:55Z level=warn msg="order is slow"',
    ],
  },
  {
    name: 'docker logs -t, kubectl logs --timestamps',
    examples: [
      '2026-11-28T04:14:55.759123456Z {"level":50,"time":1795839295759,"msg":"order failed"}',
      '2026-11-28T04:15:55.759123456Z ERROR order failed',
      '2026-11-28T04:16:55.759123456+00:00 level=error msg="order failed"',
    ],
  },
  {
    name: 'kubectl logs --prefix',
    examples: [
      '[pod/web-1/app] {"level":50,"time":1795839295759,"msg":"order failed"}',
      '[pod/web-1/app] 2026-11-28 04:15:55,759 ERROR order failed',
      '[pod/db-0/db] 2026-11-28T04:16:55.759123456Z level=error msg="order failed"',
    ],
  },
  {
    name: 'console of .NET, with or without a time',
    columns: new RegExp(
      String.raw`^${CONSOLE_HEAD}(?<class>[^\s[]+)\[(?<eventid>-?\d+)\]\s+(?<message>.*)$`,
      's',
    ),
    examples: [
      '2026-11-28T04:14:55 fail: Shop.Orders[7]\n      order failed',
      '2026-11-28 04:15:55.759 info: Microsoft.Hosting.Lifetime[14]\n      Now listening on: http://localhost:5000',
      '2026-11-28 04:16:55 warn: Shop.Orders[0] order is slow',
    ],
  },
  {
    name: 'klog and glog',
    columns:
      /^(?<level>[IWEF])(?<time>\d{4} \d\d:\d\d:\d\d\.\d+)\s+(?<pid>\d+) (?<source>[^\s\]]+)\] (?<message>.*)$/s,
    examples: [
      'E1128 04:14:55.759123    1234 main.go:42] order failed',
      'I1128 04:15:55.759123       1 server.go:7] "Order placed" order="shop/7"',
      'W1128 04:16:55.759123       1 reflector.go:539] watch ended',
    ],
  },
  {
    name: 'log4j and Logback',
    examples: [
      '2026-11-28 04:14:55,759 [main] ERROR com.example.Shop - order failed',
      '2026-11-28T04:15:55.759Z  INFO 1234 --- [nio-8080-exec-1] c.e.Shop : order placed',
      '[2026-11-28 04:16:55,759] WARN order is slow (com.example.Shop)',
    ],
  },
  {
    name: 'time without a date: Logback, pino-pretty',
    examples: [
      '04:14:55.759 [main] ERROR com.example.Shop - order failed',
      '04:15:55,759 INFO  [com.example.Shop] (main) order placed',
      '[04:16:55.759] WARN (1234): order is slow',
    ],
  },
  {
    name: 'java.util.logging, with two lines per record',
    columns:
      /^(?<time>[A-Z][a-z]{2} \d{1,2}, \d{4} \d{1,2}:\d\d:\d\d\s[AP]M) (?<class>\S+) (?<method>\S+)\r?\n(?<level>[A-Z]+): (?<message>.*)$/s,
    examples: [
      'Nov 28, 2026 4:14:55 AM com.example.Shop order\nSEVERE: order failed',
      'Nov 28, 2026 4:15:55\u202fAM com.example.Shop order\nINFO: order placed',
      'Nov 28, 2026 4:16:55 AM com.example.Shop order\nWARNING: order is slow',
    ],
  },
  {
    name: 'Java util logging of Tomcat',
    examples: [
      '28-Nov-2026 04:14:55.759 SEVERE [main] org.apache.catalina.core.StandardService failed',
      '28-Nov-2026 04:15:55.759 INFO [main] org.apache.catalina.startup.Catalina.start Server startup',
      '28-Nov-2026 04:16:55.759 WARNING [main] org.apache.catalina slow',
    ],
  },
  {
    name: 'Elasticsearch',
    examples: [
      '[2026-11-28T04:14:55,759][ERROR][o.e.b.Elasticsearch      ] [node-1] fatal exception',
      '[2026-11-28T04:15:55,759][INFO ][o.e.n.Node               ] [node-1] started',
      '[2026-11-28T04:16:55,759][WARN ][o.e.c.r.a.DiskThreshold  ] [node-1] disk usage exceeded',
    ],
  },
  {
    name: 'Python logging',
    examples: [
      '2026-11-28 04:14:55,759 ERROR order failed',
      '2026-11-28 04:15:55,759 - shop.orders - INFO - order placed',
      'WARNING 2026-11-28 04:16:55,759 orders 123 order is slow',
    ],
  },
  {
    name: 'Celery, Gunicorn and Uvicorn',
    examples: [
      '[2026-11-28 04:14:55,759: ERROR/MainProcess] Task failed',
      '[2026-11-28 04:15:55 +0000] [123] [INFO] Listening at: http://0.0.0.0:8000',
      '[2026-11-28 04:16:55 +0000] [123] [WARNING] Worker timeout',
    ],
  },
  {
    name: 'PostgreSQL',
    examples: [
      '2026-11-28 04:14:55.759 UTC [123] ERROR:  duplicate key value violates unique constraint',
      '2026-11-28 04:15:55.759 UTC [123] shop@shop LOG:  duration: 1200.000 ms',
      '2026-11-28 04:16:55 EST [123] FATAL:  password authentication failed',
    ],
  },
  {
    name: 'MySQL and MariaDB',
    examples: [
      '2026-11-28T04:14:55.759123Z 0 [ERROR] [MY-010123] [Server] Aborting',
      '2026-11-28T04:15:55.759123Z 7 [Warning] [MY-013360] [Server] deprecated',
      '2026-11-28 04:16:55 0 [Note] mariadbd: ready for connections.',
    ],
  },
  {
    name: 'Redis',
    examples: [
      '1:M 28 Nov 2026 04:14:55.759 * Ready to accept connections',
      '1:C 28 Nov 2026 04:15:55.759 # Warning: no config file specified',
      '7:S 28 Nov 2026 04:16:55.759 * MASTER <-> REPLICA sync started',
    ],
  },
  {
    name: 'error log of nginx',
    examples: [
      '2026/11/28 04:14:55 [error] 123#0: *1 open() "/srv/favicon.ico" failed (2: No such file or directory)',
      '2026/11/28 04:15:55 [warn] 123#0: a client request body is buffered',
      '2026/11/28 04:16:55 [notice] 1#1: start worker processes',
    ],
  },
  {
    name: 'error log of Apache',
    examples: [
      '[Sat Nov 28 04:14:55.759123 2026] [core:error] [pid 123:tid 7] [client 10.0.0.1:51234] File does not exist',
      '[Sat Nov 28 04:15:55.759123 2026] [mpm_event:notice] [pid 1] AH00489: Apache configured',
      '[Sat Nov 28 04:16:55 2026] [warn] RSA server certificate',
    ],
  },
  {
    name: 'Ruby and Rails',
    examples: [
      'E, [2026-11-28T04:14:55.759123 #1234] ERROR -- : order failed',
      'I, [2026-11-28T04:15:55.759123 #1234]  INFO -- : Completed 200 OK in 7ms',
      'W, [2026-11-28T04:16:55.759123 #1234]  WARN -- : order is slow',
    ],
  },
  {
    name: 'Monolog and Laravel',
    examples: [
      '[2026-11-28 04:14:55] production.ERROR: order failed {"order":7}',
      '[2026-11-28T04:15:55.759123+00:00] app.INFO: order placed [] []',
      '[2026-11-28 04:16:55] local.WARNING: order is slow',
    ],
  },
  {
    name: 'Serilog and NLog',
    examples: [
      '2026-11-28 04:14:55.759 +00:00 [ERR] order failed',
      '2026-11-28 04:15:55.7590|INFO|Shop.Orders|order placed',
      '2026-11-28 04:16:55.759 +00:00 [WRN] order is slow',
    ],
  },
  {
    name: 'Go log and zap console',
    examples: [
      '2026/11/28 04:14:55 order failed',
      '2026-11-28T04:15:55.759Z\tERROR\tshop/orders.go:7\torder failed\t{"order": 7}',
      '2026/11/28 04:16:55.759123 main.go:7: INFO order placed',
    ],
  },
  {
    name: 'Rust tracing and env_logger',
    examples: [
      '2026-11-28T04:14:55.759123Z ERROR shop::orders: order failed order=7',
      '[2026-11-28T04:15:55Z INFO  shop] order placed',
      '2026-11-28T04:16:55.759123Z  WARN shop: order is slow',
    ],
  },
  {
    name: 'Envoy',
    examples: [
      '[2026-11-28 04:14:55.759][1][error][main] [source/server/server.cc:7] failed',
      '[2026-11-28 04:15:55.759][1][info][main] [source/server/server.cc:7] initializing',
      '[2026-11-28 04:16:55.759][12][warning][config] slow',
    ],
  },
  {
    name: 'AWS Lambda',
    examples: [
      '2026-11-28T04:14:55.759Z\t8476a536-e9f4-11e8-9739-2dfe598c3fcd\tERROR\torder failed',
      '2026-11-28T04:15:55.759Z\t8476a536-e9f4-11e8-9739-2dfe598c3fcd\tINFO\torder placed',
      '2026-11-28T04:16:55.759Z\tundefined\tWARN\torder is slow',
    ],
  },
  {
    name: 'Squid',
    examples: [
      '1795839295.759    120 10.0.0.1 TCP_MISS/200 512 GET http://shop.example/ - HIER_DIRECT/10.0.0.2 text/html',
      '1795839355.759      0 10.0.0.1 TCP_DENIED/403 17 CONNECT shop.example:443 - HIER_NONE/- -',
      '1795839415.759     12 10.0.0.1 TCP_HIT/200 512 GET http://shop.example/a - HIER_NONE/- text/css',
    ],
  },
  {
    name: 'Dropwizard and Maven',
    examples: [
      'ERROR [2026-11-28 04:14:55,759] com.example.Shop: order failed',
      'INFO  [2026-11-28 04:15:55,759] com.example.Shop: order placed',
      'WARN  [2026-11-28 04:16:55,759] com.example.Shop: order is slow',
    ],
  },
  {
    name: 'date(1) and cron scripts',
    examples: [
      'Sat Nov 28 04:14:55 UTC 2026 ERROR backup failed',
      'Sat, 28 Nov 2026 04:15:55 GMT backup started',
      'Sat Nov 28 04:16:55 2026 INFO backup finished',
    ],
  },
];
