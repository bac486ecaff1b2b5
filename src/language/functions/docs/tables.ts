import { functionGroup } from './function-doc.ts';

export const tableDocs = functionGroup(
  'Join and look up',
  `
match: Looks up a field in a lookup file or table and adds the columns of the matching row. ⇒ level=error | match(file="owners.csv", field=#service, column=service)
  | select([msg, team, oncall])
matchAsArray: Looks up a field in a lookup file or table and adds the matching rows as an array of objects. ⇒ level=error | matchAsArray(file="owners.csv", field=#service, column=service, nrows=2, asArray=owners)
  | drop([@timestamp, http.method, http.path, ip, status, ms])
lookup: Adds columns from a lookup file, like match(strict=false); no longer available on the service. ⇒ level=error | lookup(file="owners.csv", field=#service, column=service)
  | select([msg, team, oncall])
readFile: Returns the rows of a lookup file or table. ⇒ readFile("owners.csv")
defineTable: Runs a subquery and stores its result as a table for the rest of the query. ⇒ defineTable(query={ level=error }, include=[user], name=affected)
  | match(table=affected, field=user) | groupBy(user)
join: Keeps events whose field matches a row of a subquery and adds fields from that row. ⇒ level=error | join({ level=warn }, field=user, include=http.path)
  | select([user, msg, http.path])
selfJoinFilter: Keeps all events of each key that has at least one event matching each filter. ⇒ selfJoinFilter(user, where=[{ action=failed }, { action=login }]) | select([user, action])
selfJoin: Finds keys that have at least one event matching each filter and collects fields by key. ⇒ selfJoin(user, where=[{ action=failed }, { action=login }], select=ip)
correlate: Finds groups of events that match several queries and are linked by equal field values. ⇒ correlate(failure: { action=failed } include: [ip], success: { action=login | user <=> failure.user }, sequence=true, within=1m)
  | select([failure.user, failure.ip])
`,
);
