import { functionGroup } from './function-doc.ts';

export const filterDocs = functionGroup(
  'Filter events',
  `
in: Keeps events whose field has one of the given values. ⇒ in(level, values=[warn, error]) | select([#service, level, msg])
wildcard: Keeps events in which a field matches a wildcard pattern, optionally ignoring case. ⇒ wildcard(field=msg, pattern="*FAILED*", ignoreCase=true) | select([#service, msg])
regex: Keeps events that match a regular expression and extracts its named groups into fields. ⇒ regex("^/(?<resource>\\w+)", field=http.path) | groupBy(resource)
test: Keeps events for which an expression is true, such as a comparison of two fields. ⇒ test(ms > timeoutMs)
text:contains: Keeps events in which a string contains a substring. ⇒ text:contains(http.path, substring="invoices") | select([http.path, status])
text:startsWith: Keeps events in which a string starts with a prefix. ⇒ text:startsWith(http.path, substring="/products") | select([http.path, ms])
text:endsWith: Keeps events in which a string ends with a suffix. ⇒ text:endsWith(file, substring=".exe")
sample: Keeps approximately the given percentage of events, chosen by the value of a field. ⇒ sample(percentage=60, field=user) | groupBy(user)
dropEvent: Drops the event. ⇒ case { level=error | action := "page"; level=warn | action := "ticket"; * | dropEvent() }
  | select([level, action, msg])
`,
);
