import { functionGroup } from './function-doc.ts';

export const fieldDocs = functionGroup(
  'Fields and events',
  `
select: Keeps only the given fields. ⇒ level=error | select([@timestamp, #service, msg])
drop: Removes fields. ⇒ level=warn | drop([@timestamp, ip, http.method])
rename: Renames one or more fields. ⇒ rename([[http.path, path], [ms, duration]]) | top(path, max=duration, limit=2)
default: Sets missing fields to a default value. ⇒ default(field=user, value="anonymous") | groupBy(user)
coalesce: Returns the first of several expressions that has a value. ⇒ reason := coalesce([err.message, cause.message, "unknown"]) | select([job, reason])
if: Returns one of two expressions, depending on a condition. ⇒ speed := if(ms > 100, then="slow", else="fast") | groupBy(speed)
eval: Sets fields to the results of expressions. ⇒ eval(seconds = ms / 1000) | table([http.path, seconds], sortby=seconds, limit=2)
getField: Returns the value of a field whose name is computed by an expression. ⇒ value := getField(measure) | select([measure, value])
setField: Sets a field whose name is computed by an expression. ⇒ setField(target=measure, value=reading)
split: Turns each element of an array into a separate event. ⇒ split(items, strip=true) | select([order, _index, sku, price])
createEvents: Replaces the input with events that contain the given text. ⇒ createEvents(["user=ann ms=12", "user=bob ms=7"]) | kvParse() | select([user, ms])
copyEvent: Duplicates the event and gives the copy a different \`#type\`. ⇒ copyEvent("audit")
eventSize: Returns the size of the event in bytes. ⇒ eventSize(as=bytes) | top(#service, sum=bytes)
eventFieldCount: Returns the number of fields in the event, not counting tags. ⇒ eventFieldCount(as=fields) | groupBy(fields)
beta:param: Writes the value of a query parameter to a field. ⇒ test(ms > ?{threshold=100}) | beta:param(threshold, as=limit) | select([http.path, ms, limit])
beta:repeating: Sets how often a live query runs. ⇒ beta:repeating(1m) | level=error | count()
`,
);
