/**
 * @typedef {object} QueryTask
 * @property {string} name
 * @property {string} question
 * @property {readonly object[]} rows the rows that a right query returns; further fields are ignored
 * @property {true} [isOrdered] whether the order of the rows matters
 * @property {string} answer a right query
 * @property {readonly string[]} wrong queries that the check must refuse
 */

/** @type {readonly QueryTask[]} Questions about the log in `events.mjs`. The question names the columns. */
export const QUERY_TASKS = [
  {
    name: 'count-errors',
    question: 'How many records have the level error? One row with the column _count.',
    rows: [{ _count: 3 }],
    answer: 'level=error | count()',
    wrong: ['SELECT count(*) WHERE level = "error"', '"error" or fatal | count()', 'level=ERROR | count()'],
  },
  {
    name: 'errors-or-worse',
    question: 'How many records have the level error or fatal? One row with the column _count.',
    rows: [{ _count: 4 }],
    answer: 'level=error or level=fatal | count()',
    wrong: ['level=error and level=fatal | count()', 'level=error,fatal | count()'],
  },
  {
    name: 'per-service',
    question: 'How many records does each service have? Columns service and _count.',
    rows: [
      { service: 'cart', _count: 5 },
      { service: 'billing', _count: 5 },
      { service: 'stock', _count: 2 },
      { service: 'accounts', _count: 4 },
    ],
    answer: 'groupBy(service)',
    wrong: ['stats count by service', 'groupBy(level)', 'count(service)'],
  },
  {
    name: 'errors-of-users',
    question: 'How many records with the level error does each user have? Columns user and _count.',
    rows: [
      { user: 'bob', _count: 2 },
      { user: 'eve', _count: 1 },
    ],
    answer: 'level=error | groupBy(user)',
    wrong: ['groupBy(user) | level=error', 'groupBy([user, level])'],
  },
  {
    name: 'slow',
    question:
      'Which orders had a request that took more than one second (ms)? Each order once, column order.',
    rows: [{ order: 'o-2' }],
    answer: 'ms > 1000 | groupBy(order)',
    wrong: ['where ms > 1000 | groupBy(order)', 'ms > 1000 | select(order)', 'ms >= 95 | groupBy(order)'],
  },
  {
    name: 'status-5xx',
    question: 'How many requests had a status of 500 or above? One row with the column _count.',
    rows: [{ _count: 2 }],
    answer: 'status >= 500 | count()',
    wrong: ['status=5* or status=4* | count()', 'status > 400 | count()'],
  },
  {
    name: 'server-and-client-errors',
    question:
      'Count the requests by kind: "server" for a status of 500 or above, "client" for 400 to 499, "ok" for the other records that have a status. Columns kind and _count.',
    rows: [
      { kind: 'server', _count: 2 },
      { kind: 'client', _count: 4 },
      { kind: 'ok', _count: 8 },
    ],
    answer:
      'status=* | case { status >= 500 | kind := "server"; status >= 400 | kind := "client"; * | kind := "ok" } | groupBy(kind)',
    wrong: [
      'case { status >= 500 | kind := "server"; status >= 400 | kind := "client"; * | kind := "ok" } | groupBy(kind)',
      "status=* | kind := if(status >= 500, then='server', else='client') | groupBy(kind)",
    ],
  },
  {
    name: 'exclude-health',
    question: 'How many records are left without those of the path /healthz? One row with the column _count.',
    rows: [{ _count: 14 }],
    answer: 'path != "/healthz" | count()',
    wrong: ['path="/healthz" | count()', 'NOT /health* | count()'],
  },
  {
    name: 'message-contains',
    question: 'How many messages (msg) contain the word login? One row with the column _count.',
    rows: [{ _count: 4 }],
    answer: 'msg=*login* | count()',
    wrong: ['msg=login | count()', 'msg LIKE "%login%" | count()'],
  },
  {
    name: 'extract-address',
    question:
      'Count the messages that end with "from" and an IP address by that address. Columns ip and _count.',
    rows: [
      { ip: '10.0.0.7', _count: 1 },
      { ip: '10.0.0.9', _count: 3 },
    ],
    answer: String.raw`regex("from (?<ip>\S+)$", field=msg) | groupBy(ip)`,
    wrong: [String.raw`rex field=msg "from (?<ip>\S+)" | groupBy(ip)`, 'groupBy(msg)'],
  },
  {
    name: 'average-and-maximum',
    question:
      'Show the average (avg) and the maximum (max) of ms for the path /pay. One row with the columns avg and max.',
    rows: [{ avg: 1199, max: 3050 }],
    answer: 'path="/pay" | [avg(ms, as=avg), max(ms, as=max)]',
    wrong: ['path="/pay" | avg(ms), max(ms)', '[avg(ms, as=avg), max(ms, as=max)]'],
  },
  {
    name: 'percentile',
    question: 'What is the median of ms of the service accounts? One row with the column _50.',
    rows: [{ _50: 30 }],
    answer: 'service=accounts | percentile(ms, percentiles=[50])',
    wrong: ['service=accounts | median(ms)', 'percentile(ms, percentiles=[50])'],
  },
  {
    name: 'top-message',
    question:
      'What is the most frequent message (msg) of the service cart, and how often does it occur? One row with the columns msg and _count.',
    rows: [{ msg: 'order placed', _count: 3 }],
    answer: 'service=cart | top(msg, limit=1)',
    wrong: ['service=cart | top(msg)', 'top 1 msg'],
  },
  {
    name: 'sort-by-count',
    question: 'Which users have at least two records? Columns user and _count, most records first.',
    rows: [
      { user: 'bob', _count: 6 },
      { user: 'ann', _count: 3 },
      { user: 'eve', _count: 3 },
    ],
    answer: 'user=* | groupBy(user) | _count >= 2 | sort([_count, user], order=[desc, asc])',
    wrong: ['groupBy(user) | _count > 3', 'user=* | groupBy(user) | having _count >= 2'],
  },
  {
    name: 'most-failed-logins',
    question: 'Which user has more than two failed logins (status 401)? Columns user and _count.',
    rows: [{ user: 'bob', _count: 3 }],
    answer: 'status=401 | groupBy(user) | _count > 2',
    wrong: ['groupBy(user) | _count > 2', 'status=401 | _count > 2 | groupBy(user)'],
  },
  {
    name: 'distinct-users',
    question: 'How many different users are there? One row with the column users.',
    rows: [{ users: 3 }],
    answer: 'count(user, distinct=true, as=users)',
    wrong: ['count(user, as=users)', 'dc(user)'],
  },
  {
    name: 'seconds',
    question:
      'Convert ms of the order o-2 to seconds and show the largest value. One row with the column seconds.',
    rows: [{ seconds: 3.05 }],
    answer: 'order="o-2" | s := ms / 1000 | max(s, as=seconds)',
    wrong: ['order="o-2" | max(ms, as=seconds)', 'order="o-2" | eval seconds = ms / 1000'],
  },
  {
    name: 'error-messages',
    question: 'Which messages of errors (err.message) occur, and how often? Columns err.message and _count.',
    rows: [
      { 'err.message': 'bank timeout', _count: 2 },
      { 'err.message': 'card declined', _count: 1 },
      { 'err.message': 'heap limit', _count: 1 },
    ],
    answer: 'err.message=* | groupBy(err.message)',
    wrong: ['groupBy(err)', 'level=error | groupBy(err.message)'],
  },
  {
    name: 'unpaid',
    question: 'Which orders have a "payment failed" but no "paid"? Each order once, column order.',
    rows: [{ order: 'o-2' }],
    answer:
      'in(msg, values=["payment failed", paid]) | groupBy(order, function=[count(), { msg=paid | count(as=paid) }]) | paid=0',
    wrong: [
      'msg="payment failed" | groupBy(order)',
      'msg="payment failed" and not msg=paid | groupBy(order)',
    ],
  },
  {
    name: 'newest',
    question: 'Show the message of the newest record with the level warn. One row with the column msg.',
    rows: [{ msg: 'login failed from 10.0.0.9' }],
    answer: 'level=warn | tail(1) | select(msg)',
    wrong: ['level=warn | head(1) | select(msg)', 'level=warn | select(msg)'],
  },
  {
    name: 'last-per-service',
    question: 'Show the newest level of each service. Columns service and level.',
    rows: [
      { service: 'cart', level: 'info' },
      { service: 'billing', level: 'info' },
      { service: 'stock', level: 'fatal' },
      { service: 'accounts', level: 'warn' },
    ],
    answer: 'groupBy(service, function=selectLast(level))',
    wrong: ['groupBy([service, level])', 'dedup service', 'groupBy(service, function=head(1))'],
  },
  {
    name: 'per-minute',
    question:
      'How many records arrived in each minute? One row per minute with the column _count, oldest first.',
    rows: [{ _count: 6 }, { _count: 6 }, { _count: 4 }],
    isOrdered: true,
    answer: 'bucket(span=1m) | sort(_bucket, order=asc)',
    wrong: ['bucket(span=1h)', 'timechart span=1m count'],
  },
  {
    name: 'sum',
    question: 'What is the sum of the amounts of all orders? One row with the column _sum.',
    rows: [{ _sum: 154 }],
    answer: 'sum(amount)',
    wrong: ['count(amount)', 'SELECT SUM(amount)'],
  },
  {
    name: 'case-insensitive',
    question: 'How many messages (msg) contain "PAYMENT", in any case? One row with the column _count.',
    rows: [{ _count: 3 }],
    answer: 'msg=/payment/i | count()',
    wrong: ['msg=*PAYMENT* | count()', 'msg=/PAYMENT/ | count()'],
  },
];
