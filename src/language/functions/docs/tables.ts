import type { FunctionGroup } from './function-doc.ts';

export const tableDocs: FunctionGroup = {
  title: 'Join and look up',
  functions: {
    match: {
      sentence: 'Looks up a field in a lookup file or table and adds the columns of the matching row.',
      example:
        'level=error | match(file="owners.csv", field=#service, column=service)\n| select([msg, team, oncall])',
    },
    matchAsArray: {
      sentence:
        'Looks up a field in a lookup file or table and adds the matching rows as an array of objects.',
      example:
        'level=error | matchAsArray(file="owners.csv", field=#service, column=service, nrows=2, asArray=owners)\n| drop([@timestamp, http.method, http.path, ip, status, ms])',
    },
    lookup: {
      sentence:
        'Adds columns from a lookup file, like match(strict=false); no longer available on the service.',
      example:
        'level=error | lookup(file="owners.csv", field=#service, column=service)\n| select([msg, team, oncall])',
    },
    readFile: {
      sentence: 'Returns the rows of a lookup file or table.',
      example: 'readFile("owners.csv")',
    },
    defineTable: {
      sentence: 'Runs a subquery and stores its result as a table for the rest of the query.',
      example:
        'defineTable(query={ level=error }, include=[user], name=affected)\n| match(table=affected, field=user) | groupBy(user)',
    },
    join: {
      sentence: 'Keeps events whose field matches a row of a subquery and adds fields from that row.',
      example:
        'level=error | join({ level=warn }, field=user, include=http.path)\n| select([user, msg, http.path])',
    },
    selfJoinFilter: {
      sentence: 'Keeps all events of each key that has at least one event matching each filter.',
      example: 'selfJoinFilter(user, where=[{ action=failed }, { action=login }]) | select([user, action])',
    },
    selfJoin: {
      sentence: 'Finds keys that have at least one event matching each filter and collects fields by key.',
      example: 'selfJoin(user, where=[{ action=failed }, { action=login }], select=ip)',
    },
    correlate: {
      sentence: 'Finds groups of events that match several queries and are linked by equal field values.',
      example:
        'correlate(failure: { action=failed } include: [ip], success: { action=login | user <=> failure.user }, sequence=true, within=1m)\n| select([failure.user, failure.ip])',
    },
  },
};
