// The same queries in three languages. Results are compared by row count and, for a single row, by first value.

/** @type {{lql: string, sql: string, jq: string}[]} `jq` gets all events as an array. */
export const queryList = [
  { lql: 'count()', sql: 'SELECT count(*) FROM events', jq: '[length]' },
  {
    lql: 'level=error | count()',
    sql: "SELECT count(*) FROM events WHERE level = 'error'",
    jq: '[map(select(.level == "error")) | length]',
  },
  {
    lql: 'status>=500 ms>900 | count()',
    sql: 'SELECT count(*) FROM events WHERE status >= 500 AND ms > 900',
    jq: '[map(select(.status >= 500 and .ms > 900)) | length]',
  },
  {
    lql: 'message=/tim(ed|e) out/ | count()',
    sql: "SELECT count(*) FROM events WHERE regexp_matches(message, 'tim(ed|e) out')",
    jq: '[map(select(.message | test("tim(ed|e) out"))) | length]',
  },
  {
    lql: 'timed | count()',
    sql: "SELECT count(*) FROM events WHERE message LIKE '%timed%'",
    jq: '[map(select(.message | contains("timed"))) | length]',
  },
  {
    lql: 'host=web-1* | count()',
    sql: "SELECT count(*) FROM events WHERE host LIKE 'web-1%'",
    jq: '[map(select(.host | startswith("web-1"))) | length]',
  },
  {
    lql: 'groupBy(service)',
    sql: 'SELECT service, count(*) FROM events GROUP BY service',
    jq: 'group_by(.service) | map([.[0].service, length])',
  },
  {
    lql: 'groupBy(service, function=[count(), avg(ms)])',
    sql: 'SELECT service, count(*), avg(ms) FROM events GROUP BY service',
    jq: 'group_by(.service) | map([.[0].service, length, (map(.ms) | add / length)])',
  },
  {
    lql: 'x := ms * 2 | max(x)',
    sql: 'SELECT max(ms * 2) FROM events',
    jq: '[map(.ms * 2) | max]',
  },
  {
    lql: 'groupBy([path, method], function=[count(), avg(ms), max(ms)])',
    sql: 'SELECT path, method, count(*), avg(ms), max(ms) FROM events GROUP BY path, method',
    jq: 'group_by([.path, .method]) | map([.[0].path, .[0].method, length, (map(.ms) | add / length, max)])',
  },
  {
    lql: 'top(user, limit=10)',
    sql: 'SELECT "user", count(*) AS n FROM events GROUP BY "user" ORDER BY n DESC LIMIT 10',
    jq: 'group_by(.user) | map([.[0].user, length]) | sort_by(-.[1]) | .[:10]',
  },
  {
    lql: 'groupBy(host, function=count(user, distinct=true))',
    sql: 'SELECT host, count(DISTINCT "user") FROM events GROUP BY host',
    jq: 'group_by(.host) | map([.[0].host, (map(.user) | unique | length)])',
  },
  {
    lql: 'groupBy(service, function=percentile(ms, percentiles=[50, 95, 99]))',
    sql: 'SELECT service, approx_quantile(ms, [0.5, 0.95, 0.99]) FROM events GROUP BY service',
    jq: 'group_by(.service) | map([.[0].service, (map(.ms) | sort | .[length / 2 | floor])])',
  },
  {
    lql: 'bucket(span=1m, function=[count(), avg(ms)])',
    sql: 'SELECT floor("at" / 60000) AS minute, count(*), avg(ms) FROM events GROUP BY minute',
    jq: 'group_by(.at / 60000 | floor) | map([.[0].at, length, (map(.ms) | add / length)])',
  },
  {
    lql: 'sort(ms, order=desc, limit=20)',
    sql: 'SELECT * FROM events ORDER BY ms DESC LIMIT 20',
    jq: 'sort_by(-.ms) | .[:20]',
  },
  {
    lql: 'regex("order (?<order>\\\\d+)", field=message) | top(order, limit=5)',
    sql: "SELECT regexp_extract(message, 'order (\\d+)', 1) AS o, count(*) AS n FROM events GROUP BY o ORDER BY n DESC LIMIT 5",
    jq: 'group_by(.message | capture("order (?<o>[0-9]+)").o) | sort_by(-length) | .[:5]',
  },
];
