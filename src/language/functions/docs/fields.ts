import type { FunctionGroup } from './function-doc.ts';

export const fieldDocs: FunctionGroup = {
  title: 'Fields and events',
  functions: {
    select: {
      sentence: 'Keeps only the given fields.',
      example: 'level=error | select([@timestamp, #service, msg])',
    },
    drop: {
      sentence: 'Removes fields.',
      example: 'level=warn | drop([@timestamp, ip, http.method])',
    },
    rename: {
      sentence: 'Renames one or more fields.',
      example: 'rename([[http.path, path], [ms, duration]]) | top(path, max=duration, limit=2)',
    },
    default: {
      sentence: 'Sets missing fields to a default value.',
      example: 'default(field=user, value="anonymous") | groupBy(user)',
    },
    coalesce: {
      sentence: 'Returns the first of several expressions that has a value.',
      example: 'reason := coalesce([err.message, cause.message, "unknown"]) | select([job, reason])',
    },
    if: {
      sentence: 'Returns one of two expressions, depending on a condition.',
      example: 'speed := if(ms > 100, then="slow", else="fast") | groupBy(speed)',
    },
    eval: {
      sentence: 'Sets fields to the results of expressions.',
      example: 'eval(seconds = ms / 1000) | table([http.path, seconds], sortby=seconds, limit=2)',
    },
    getField: {
      sentence: 'Returns the value of a field whose name is computed by an expression.',
      example: 'value := getField(measure) | select([measure, value])',
    },
    setField: {
      sentence: 'Sets a field whose name is computed by an expression.',
      example: 'setField(target=measure, value=reading)',
    },
    split: {
      sentence: 'Turns each element of an array into a separate event.',
      example: 'split(items, strip=true) | select([order, _index, sku, price])',
    },
    createEvents: {
      sentence: 'Replaces the input with events that contain the given text.',
      example: 'createEvents(["user=ann ms=12", "user=bob ms=7"]) | kvParse() | select([user, ms])',
    },
    copyEvent: {
      sentence: 'Duplicates the event and gives the copy a different `#type`.',
      example: 'copyEvent("audit")',
    },
    eventSize: {
      sentence: 'Returns the size of the event in bytes.',
      example: 'eventSize(as=bytes) | top(#service, sum=bytes)',
    },
    eventFieldCount: {
      sentence: 'Returns the number of fields in the event, not counting tags.',
      example: 'eventFieldCount(as=fields) | groupBy(fields)',
    },
    'beta:param': {
      sentence: 'Writes the value of a query parameter to a field.',
      example:
        'test(ms > ?{threshold=100}) | beta:param(threshold, as=limit) | select([http.path, ms, limit])',
    },
    'beta:repeating': {
      sentence: 'Sets how often a live query runs.',
      example: 'beta:repeating(1m) | level=error | count()',
    },
  },
};
