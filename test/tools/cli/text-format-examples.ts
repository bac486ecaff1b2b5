/** Formats of text lines, each with lines at 04:14:55, 04:15:55 and 04:16:55 on November 28, 2026. */
export const TEXT_EXAMPLES: readonly (readonly [name: string, lines: readonly [string, string, string]])[] = [
  [
    'access log of nginx, Apache and Caddy',
    [
      '10.0.0.1 - eve [28/Nov/2026:04:14:55 +0000] "GET /cart?x=1 HTTP/1.1" 404 17 "-" "curl/8.5"',
      '10.0.0.1 - - [28/Nov/2026:04:15:55 +0000] "-" 400 -',
      'shop.example:443 2001:db8::1 - eve smith [28/Nov/2026:05:16:55 +0100] "POST /orders?q=\\"x\\" HTTP/2.0" 201 512 "https://shop.example" "Mozilla/5.0 (\\"X11\\")" 0.012',
    ],
  ],
  [
    'syslog of RFC 5424',
    [
      '<34>1 2026-11-28T04:14:55.759Z web-1 sshd 123 ID47 - Failed password for root',
      '<165>1 2026-11-28T04:15:55.759Z web-1 shop - - [data@1 a="b"] order placed',
      '<27>1 2026-11-28T05:16:55.759123+01:00 web-1 nginx 7 - - upstream timed out',
    ],
  ],
  [
    'syslog of RFC 3164, rsyslog, journalctl and HAProxy',
    [
      'Nov 28 04:14:55 web-1 sshd[123]: Failed password for root from 10.0.0.1 port 22 ssh2',
      '<30>Nov 28 04:15:55 web-1 haproxy[7]: 10.0.0.1:51234 [28/Nov/2026:04:15:55.759] front back/web 0/0/1/2/3 200 512 - - ---- 1/1/0/0/0 0/0 "GET / HTTP/1.1"',
      '2026-11-28T04:16:55.759123+00:00 web-1 systemd[1]: Started Shop.',
    ],
  ],
  [
    'containers of Kubernetes (CRI)',
    [
      '2026-11-28T04:14:55.759123456Z stdout F {"level":30,"time":1795839295759,"msg":"order placed"}',
      '2026-11-28T04:15:55.759123456Z stderr F level=error msg="order failed"',
      '2026-11-28T04:16:55.759123456Z stdout F ERROR order failed',
    ],
  ],
  [
    'docker compose logs',
    [
      'web-1  | {"level":50,"time":1795839295759,"msg":"order failed"}',
      'db-1   | 2026-11-28 04:15:55.759 UTC [1] LOG:  database system is ready to accept connections',
      'web-1  | ts=2026-11-28T04:16:55Z level=warn msg="order is slow"',
    ],
  ],
  [
    'docker logs -t, kubectl logs --timestamps',
    [
      '2026-11-28T04:14:55.759123456Z {"level":50,"time":1795839295759,"msg":"order failed"}',
      '2026-11-28T04:15:55.759123456Z ERROR order failed',
      '2026-11-28T04:16:55.759123456+00:00 level=error msg="order failed"',
    ],
  ],
  [
    'kubectl logs --prefix',
    [
      '[pod/web-1/app] {"level":50,"time":1795839295759,"msg":"order failed"}',
      '[pod/web-1/app] 2026-11-28 04:15:55,759 ERROR order failed',
      '[pod/db-0/db] 2026-11-28T04:16:55.759123456Z level=error msg="order failed"',
    ],
  ],
  [
    'auditd, also with the names that it adds',
    [
      'type=SYSCALL msg=audit(1795839295.759:456): arch=c000003e syscall=59 comm="ls" key="exec"\u001dARCH=x86_64 SYSCALL=execve',
      'type=PROCTITLE msg=audit(1795839355.759:457): proctitle=2F7573722F62696E2F6C73',
      `node=web-1 type=USER_LOGIN msg=audit(1795839415.759:458): pid=7 uid=0 msg='op=login acct="root" res=failed'`,
    ],
  ],
  [
    'console of .NET, with or without a time',
    [
      '2026-11-28T04:14:55 fail: Shop.Orders[7]\n      order failed',
      '2026-11-28 04:15:55.759 info: Microsoft.Hosting.Lifetime[14]\n      Now listening on: http://localhost:5000',
      '2026-11-28 04:16:55 warn: Shop.Orders[0] order is slow',
    ],
  ],
  [
    'klog and glog',
    [
      'E1128 04:14:55.759123    1234 main.go:42] order failed',
      'I1128 04:15:55.759123       1 server.go:7] "Order placed" order="shop/7"',
      'W1128 04:16:55.759123       1 reflector.go:539] watch ended',
    ],
  ],
  [
    'log4j and Logback',
    [
      '2026-11-28 04:14:55,759 [main] ERROR com.example.Shop - order failed',
      '2026-11-28T04:15:55.759Z  INFO 1234 --- [nio-8080-exec-1] c.e.Shop : order placed',
      '[2026-11-28 04:16:55,759] WARN order is slow (com.example.Shop)',
    ],
  ],
  [
    'time without a date: Logback, pino-pretty',
    [
      '04:14:55.759 [main] ERROR com.example.Shop - order failed',
      '04:15:55,759 INFO  [com.example.Shop] (main) order placed',
      '[04:16:55.759] WARN (1234): order is slow',
    ],
  ],
  [
    'java.util.logging, with two lines per record',
    [
      'Nov 28, 2026 4:14:55 AM com.example.Shop order\nSEVERE: order failed',
      'Nov 28, 2026 4:15:55\u202fAM com.example.Shop order\nINFO: order placed',
      'Nov 28, 2026 4:16:55 AM com.example.Shop order\nWARNING: order is slow',
    ],
  ],
  [
    'Java util logging of Tomcat',
    [
      '28-Nov-2026 04:14:55.759 SEVERE [main] org.apache.catalina.core.StandardService failed',
      '28-Nov-2026 04:15:55.759 INFO [main] org.apache.catalina.startup.Catalina.start Server startup',
      '28-Nov-2026 04:16:55.759 WARNING [main] org.apache.catalina slow',
    ],
  ],
  [
    'Elasticsearch',
    [
      '[2026-11-28T04:14:55,759][ERROR][o.e.b.Elasticsearch      ] [node-1] fatal exception',
      '[2026-11-28T04:15:55,759][INFO ][o.e.n.Node               ] [node-1] started',
      '[2026-11-28T04:16:55,759][WARN ][o.e.c.r.a.DiskThreshold  ] [node-1] disk usage exceeded',
    ],
  ],
  [
    'Python logging',
    [
      '2026-11-28 04:14:55,759 ERROR order failed',
      '2026-11-28 04:15:55,759 - shop.orders - INFO - order placed',
      'WARNING 2026-11-28 04:16:55,759 orders 123 order is slow',
    ],
  ],
  [
    'Celery, Gunicorn and Uvicorn',
    [
      '[2026-11-28 04:14:55,759: ERROR/MainProcess] Task failed',
      '[2026-11-28 04:15:55 +0000] [123] [INFO] Listening at: http://0.0.0.0:8000',
      '[2026-11-28 04:16:55 +0000] [123] [WARNING] Worker timeout',
    ],
  ],
  [
    'PostgreSQL',
    [
      '2026-11-28 04:14:55.759 UTC [123] ERROR:  duplicate key value violates unique constraint',
      '2026-11-28 04:15:55.759 UTC [123] shop@shop LOG:  duration: 1200.000 ms',
      '2026-11-28 04:16:55 EST [123] FATAL:  password authentication failed',
    ],
  ],
  [
    'MySQL and MariaDB',
    [
      '2026-11-28T04:14:55.759123Z 0 [ERROR] [MY-010123] [Server] Aborting',
      '2026-11-28T04:15:55.759123Z 7 [Warning] [MY-013360] [Server] deprecated',
      '2026-11-28 04:16:55 0 [Note] mariadbd: ready for connections.',
    ],
  ],
  [
    'slow log of MySQL',
    [
      '# Time: 2026-11-28T04:14:55.759123Z\n# User@Host: root[root] @ localhost []  Id: 8\nSET timestamp=1795839295;\nSELECT 1;',
      '# Time: 2026-11-28T04:15:55.759123Z\n# Query_time: 3.000123  Lock_time: 0.000000\nSELECT SLEEP(3);',
      '# Time: 2026-11-28T05:16:55.759123+01:00\nSELECT 1;',
    ],
  ],
  [
    'AWS Application Load Balancer',
    [
      'http 2026-11-28T04:14:55.759123Z app/shop/50dc 10.0.1.2:2817 10.0.0.1:80 0.000 0.001 0.000 200 200 34 366 "GET http://shop.example:80/ HTTP/1.1" "curl/8.5" - - arn:aws 1 "-" "-"',
      'h2 2026-11-28T04:15:55.759123Z app/shop/50dc 10.0.1.2:4816 - -1 -1 -1 502 - 34 366 "GET https://shop.example:443/ HTTP/2.0" "curl/8.5"',
      'wss 2026-11-28T04:16:55.759123Z app/shop/50dc 10.0.1.2:4034 10.0.0.1:80 0.001 0.003 0.000 101 101 218 786 "GET https://shop.example:443/ws HTTP/1.1" "-"',
    ],
  ],
  [
    'Redis',
    [
      '1:M 28 Nov 2026 04:14:55.759 * Ready to accept connections',
      '1:C 28 Nov 2026 04:15:55.759 # Warning: no config file specified',
      '7:S 28 Nov 2026 04:16:55.759 * MASTER <-> REPLICA sync started',
    ],
  ],
  [
    'error log of nginx',
    [
      '2026/11/28 04:14:55 [error] 123#0: *1 open() "/srv/favicon.ico" failed (2: No such file or directory)',
      '2026/11/28 04:15:55 [warn] 123#0: a client request body is buffered',
      '2026/11/28 04:16:55 [notice] 1#1: start worker processes',
    ],
  ],
  [
    'error log of Apache',
    [
      '[Sat Nov 28 04:14:55.759123 2026] [core:error] [pid 123:tid 7] [client 10.0.0.1:51234] File does not exist',
      '[Sat Nov 28 04:15:55.759123 2026] [mpm_event:notice] [pid 1] AH00489: Apache configured',
      '[Sat Nov 28 04:16:55 2026] [warn] RSA server certificate',
    ],
  ],
  [
    'Ruby and Rails',
    [
      'E, [2026-11-28T04:14:55.759123 #1234] ERROR -- : order failed',
      'I, [2026-11-28T04:15:55.759123 #1234]  INFO -- : Completed 200 OK in 7ms',
      'W, [2026-11-28T04:16:55.759123 #1234]  WARN -- : order is slow',
    ],
  ],
  [
    'Monolog and Laravel',
    [
      '[2026-11-28 04:14:55] production.ERROR: order failed {"order":7}',
      '[2026-11-28T04:15:55.759123+00:00] app.INFO: order placed [] []',
      '[2026-11-28 04:16:55] local.WARNING: order is slow',
    ],
  ],
  [
    'Serilog and NLog',
    [
      '2026-11-28 04:14:55.759 +00:00 [ERR] order failed',
      '2026-11-28 04:15:55.7590|INFO|Shop.Orders|order placed',
      '2026-11-28 04:16:55.759 +00:00 [WRN] order is slow',
    ],
  ],
  [
    'Go log and zap console',
    [
      '2026/11/28 04:14:55 order failed',
      '2026-11-28T04:15:55.759Z\tERROR\tshop/orders.go:7\torder failed\t{"order": 7}',
      '2026/11/28 04:16:55.759123 main.go:7: INFO order placed',
    ],
  ],
  [
    'Rust tracing and env_logger',
    [
      '2026-11-28T04:14:55.759123Z ERROR shop::orders: order failed order=7',
      '[2026-11-28T04:15:55Z INFO  shop] order placed',
      '2026-11-28T04:16:55.759123Z  WARN shop: order is slow',
    ],
  ],
  [
    'Envoy',
    [
      '[2026-11-28 04:14:55.759][1][error][main] [source/server/server.cc:7] failed',
      '[2026-11-28 04:15:55.759][1][info][main] [source/server/server.cc:7] initializing',
      '[2026-11-28 04:16:55.759][12][warning][config] slow',
    ],
  ],
  [
    'AWS Lambda',
    [
      '2026-11-28T04:14:55.759Z\t8476a536-e9f4-11e8-9739-2dfe598c3fcd\tERROR\torder failed',
      '2026-11-28T04:15:55.759Z\t8476a536-e9f4-11e8-9739-2dfe598c3fcd\tINFO\torder placed',
      '2026-11-28T04:16:55.759Z\tundefined\tWARN\torder is slow',
    ],
  ],
  [
    'Squid',
    [
      '1795839295.759    120 10.0.0.1 TCP_MISS/200 512 GET http://shop.example/ - HIER_DIRECT/10.0.0.2 text/html',
      '1795839355.759      0 10.0.0.1 TCP_DENIED/403 17 CONNECT shop.example:443 - HIER_NONE/- -',
      '1795839415.759     12 10.0.0.1 TCP_HIT/200 512 GET http://shop.example/a - HIER_NONE/- text/css',
    ],
  ],
  [
    'Dropwizard and Maven',
    [
      'ERROR [2026-11-28 04:14:55,759] com.example.Shop: order failed',
      'INFO  [2026-11-28 04:15:55,759] com.example.Shop: order placed',
      'WARN  [2026-11-28 04:16:55,759] com.example.Shop: order is slow',
    ],
  ],
  [
    'day first, with dots',
    [
      '28.11.2026 04:14:55 ERROR order failed',
      '28.11.2026 04:15:55,759 INFO order placed',
      '28.11.2026, 04:16:55 WARN order is slow',
    ],
  ],
  [
    'date(1) and cron scripts',
    [
      'Sat Nov 28 04:14:55 UTC 2026 ERROR backup failed',
      'Sat, 28 Nov 2026 04:15:55 GMT backup started',
      'Sat Nov 28 04:16:55 2026 INFO backup finished',
    ],
  ],
  [
    'time before JSON or logfmt',
    [
      '2026-11-28T04:14:55Z {"level":"error","msg":"order failed"}',
      '[2026-11-28 04:15:55] level=info msg="order placed"',
      '2026-11-28T04:16:55.759+00:00 shop[web.1]: level=warn msg="order is slow"',
    ],
  ],
];
