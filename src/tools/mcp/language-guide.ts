/** The query language in a page, for readers who know others. Its queries are checked by a test. */
export const LANGUAGE_GUIDE = `# LogScale query language

A query is a series of steps separated by "|". Each step filters, changes or aggregates events. The time range is not part of
the query: it is in "start" and "end".

## Fields

Events are flat sets of fields. Nested JSON has dotted names (http.status), arrays have indexes (items[0]). Tags start with "#"
(#service). Fields of the service start with "@": @timestamp (epoch ms), @rawstring (the text), @id. A record of pino has its message
in msg, a record of winston in message. Levels are text, such as level=error.

## Filter

level=error
level=error #service=shop             // a space means "and"
level=error or level=fatal            // "or" binds more tightly than "and"
not level=info
status >= 500
msg = *timeout*                       // wildcards
msg = /time ?out/i                    // regular expression
"connection refused"                  // free text: in any field
err.message = *                       // the field exists
in(level, values=[error, fatal])
test(ms > limit)                      // compares two fields

http.path = "/pay"                    // quotes, because "/" starts a regular expression
user != bob                           // also events without the field user

Free text is only possible before the first aggregate. A comparison with "=" is case-sensitive.

## Count and group

count()
level=error | groupBy(#service)
groupBy([#service, level], function=[count(), max(ms), avg(ms)])
top(err.message, limit=5)
[count(), sum(bytes), avg(ms, as=mean)]   // several; columns _count, _sum, mean
count(user, distinct=true)            // the number of different users
percentile(ms, percentiles=[50, 95, 99])   // columns _50, _95, _99
timeChart(level, span=5m)
bucket(span=1m, function=count())
groupBy(user) | _count > 10           // the count is in _count; name it with count(as=n)
user=* | groupBy(user)                // without "user=*", also a row for the events without user
groupBy(user) | sort(_count, order=desc, limit=10)

After an aggregate, only the grouped fields and the results exist.

## Change and compute

seconds := ms / 1000
regex("order (?<order>\\\\d+)", field=msg) | groupBy(order)
parseJson(payload, prefix="payload.")
case { status >= 500 | kind := "server"; status >= 400 | kind := "client"; * | kind := "ok" } | groupBy(kind)
text := format("%s %s", field=[http.method, http.path])

## Show

select([@timestamp, level, msg])      // only these fields
table([@timestamp, level, msg], limit=50)
head(10)                              // the oldest 10 events
tail(10)                              // the newest 10 events

## Not in this language

SPL "stats count by host" is groupBy(host). SPL "where x > 5" is x > 5 for a number, or test(x > y) for two fields. SQL and SPL
"limit 10" or "head 10" is head(10). SPL "dedup x" is groupBy(x, function=tail(1)). LogQL "{app=\\"shop\\"} |= \\"x\\"" is app=shop "x".
KQL "summarize count() by x" is groupBy(x). Strings have double quotes. Comments start with //.
`;
