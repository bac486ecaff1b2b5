import type { FunctionGroup } from './function-doc.ts';

export const textDocs: FunctionGroup = {
  title: 'Strings',
  functions: {
    format: {
      sentence: 'Formats fields as a string with a printf-style template.',
      example:
        'line := format("%s %s took %d ms", field=[http.method, http.path, ms]) | head(2) | select(line)',
    },
    concat: {
      sentence: 'Joins the values of fields into one string.',
      example: 'endpoint := concat([#service, http.path]) | top(endpoint, limit=2)',
    },
    replace: {
      sentence: 'Replaces every match of a regular expression.',
      example: 'replace("/\\d+$", with="/:id", field=http.path) | groupBy(http.path)',
    },
    splitString: {
      sentence: 'Splits a string into an array, or returns one of its parts.',
      example: 'resource := splitString(http.path, by="/", index=1) | groupBy(resource)',
    },
    lower: {
      sentence: 'Converts a string to lowercase.',
      example: 'name := lower(user) | groupBy(name)',
    },
    upper: {
      sentence: 'Converts a string to uppercase.',
      example: 'level := upper(level) | groupBy(level)',
    },
    lowercase: {
      sentence: 'Converts field values, field names or both to lowercase in place.',
      example: 'lowercase(field="*", include=both)',
    },
    length: {
      sentence: 'Returns the number of UTF-16 code units in a field.',
      example: 'size := length(http.path) | top(http.path, max=size, limit=2)',
    },
    'text:length': {
      sentence: 'Returns the number of visible characters in a string.',
      example: 'characters := text:length(name) | units := length(name)',
    },
    'text:substring': {
      sentence: 'Returns the part of a string between two positions.',
      example: 'area := text:substring(phone, begin=0, end=3)',
    },
    'text:positionOf': {
      sentence: 'Returns the position of a character or substring in a string.',
      example: 'at := text:positionOf(email, character="@")',
    },
    'text:trim': {
      sentence: 'Removes whitespace from one or both ends of a field.',
      example: 'name := text:trim(name)',
    },
    'text:editDistance': {
      sentence: 'Returns the number of edits needed to turn one string into another.',
      example: 'edits := text:editDistance(target=domain, reference="example.com", maxDistance=3)',
    },
    'text:editDistanceAsArray': {
      sentence: 'Returns the edit distance from a string to each of several reference strings.',
      example:
        'text:editDistanceAsArray(target=domain, references=["example.com", "sample.com"], maxDistance=3, asArray="near[]")',
    },
    shannonEntropy: {
      sentence: 'Returns the Shannon entropy of the characters in a field, in bits.',
      example: 'entropy := shannonEntropy(domain)',
    },
    stripAnsiCodes: {
      sentence: 'Removes ANSI escape codes, such as terminal colors.',
      example: 'stripAnsiCodes(msg)',
    },
  },
};
