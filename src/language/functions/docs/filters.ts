import type { FunctionGroup } from './function-doc.ts';

export const filterDocs: FunctionGroup = {
  title: 'Filter events',
  functions: {
    in: {
      sentence: 'Keeps events whose field has one of the given values.',
      example: 'in(level, values=[warn, error]) | select([#service, level, msg])',
    },
    wildcard: {
      sentence: 'Keeps events in which a field matches a wildcard pattern, optionally ignoring case.',
      example: 'wildcard(field=msg, pattern="*FAILED*", ignoreCase=true) | select([#service, msg])',
    },
    regex: {
      sentence: 'Keeps events that match a regular expression and extracts its named groups into fields.',
      example: 'regex("^/(?<resource>\\w+)", field=http.path) | groupBy(resource)',
    },
    test: {
      sentence: 'Keeps events for which an expression is true, such as a comparison of two fields.',
      example: 'test(ms > timeoutMs)',
    },
    'text:contains': {
      sentence: 'Keeps events in which a string contains a substring.',
      example: 'text:contains(http.path, substring="invoices") | select([http.path, status])',
    },
    'text:startsWith': {
      sentence: 'Keeps events in which a string starts with a prefix.',
      example: 'text:startsWith(http.path, substring="/products") | select([http.path, ms])',
    },
    'text:endsWith': {
      sentence: 'Keeps events in which a string ends with a suffix.',
      example: 'text:endsWith(file, substring=".exe")',
    },
    sample: {
      sentence: 'Keeps approximately the given percentage of events, chosen by the value of a field.',
      example: 'sample(percentage=60, field=user) | groupBy(user)',
    },
    dropEvent: {
      sentence: 'Drops the event.',
      example:
        'case { level=error | action := "page"; level=warn | action := "ticket"; * | dropEvent() }\n| select([level, action, msg])',
    },
  },
};
