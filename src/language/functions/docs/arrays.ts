import type { FunctionGroup } from './function-doc.ts';

export const arrayDocs: FunctionGroup = {
  title: 'Arrays',
  functions: {
    'array:contains': {
      sentence: 'Keeps events whose array has an element with the given value.',
      example: 'array:contains("role[]", value="admin")',
    },
    'array:regex': {
      sentence: 'Keeps events whose array has an element that matches a regular expression.',
      example: 'array:regex("role[]", regex="^(ops|sre)$")',
    },
    'array:exists': {
      sentence: 'Keeps events whose array has an element that meets a condition.',
      example: 'array:exists("ms[]", var=x, condition={ x > 200 })',
    },
    'objectArray:exists': {
      sentence: 'Keeps events whose array of objects has an element that meets a condition.',
      example: 'objectArray:exists("items[]", var=item, condition={ item.price > 15 })',
    },
    'array:length': {
      sentence: 'Returns the number of elements in an array.',
      example: 'roles := array:length("role[]") | select([user, roles])',
    },
    'array:append': {
      sentence: 'Appends values to an array, or creates the array.',
      example: 'array:append("role[]", values=["guest"])',
    },
    'array:drop': {
      sentence: 'Removes an array.',
      example: 'array:drop("role[]")',
    },
    'array:rename': {
      sentence: 'Renames an array.',
      example: 'array:rename("role[]", asArray="group[]")',
    },
    'array:dedup': {
      sentence: 'Removes duplicate elements from an array.',
      example: 'array:dedup("color[]")',
    },
    'array:sort': {
      sentence: 'Sorts the elements of an array.',
      example: 'array:sort("ms[]", type=number, order=desc)',
    },
    'array:filter': {
      sentence: 'Keeps the elements of an array that pass a filter.',
      example: 'array:filter("ms[]", var=x, function={ x < 100 }, asArray="fast[]") | array:drop("ms[]")',
    },
    'array:eval': {
      sentence: 'Computes a new element from each element of an array.',
      example:
        'array:eval("ms[]", var=x, asArray="seconds[]", function={ seconds := x / 1000 }) | array:drop("ms[]")',
    },
    'objectArray:eval': {
      sentence: 'Computes a new element from each object in an array.',
      example:
        'objectArray:eval("items[]", var=item, asArray="gross[]", function={ gross := item.price * 1.25 })\n| select([order, gross[0], gross[1]])',
    },
    'array:reduceRow': {
      sentence: 'Runs an aggregate on the array elements in each event.',
      example: 'array:reduceRow("ms[]", var=x, function=max(x), as=slowest) | select([order, slowest._max])',
    },
    'array:reduceColumn': {
      sentence: 'Runs an aggregate on the elements at each array position, across all events.',
      example: 'array:reduceColumn("ms[]", var=x, function=avg(x))',
    },
    'array:reduceAll': {
      sentence: 'Runs one aggregate on the array elements of all events.',
      example: 'array:reduceAll("role[]", var=name, function=groupBy(name))',
    },
    'array:union': {
      sentence: 'Returns the values that an array has in at least one event.',
      example: 'array:union("role[]", as=any)',
    },
    'array:intersection': {
      sentence: 'Returns the values that an array has in every event.',
      example: 'array:intersection("role[]", as=common)',
    },
    concatArray: {
      sentence: 'Joins the elements of an array into one string.',
      example: 'roles := concatArray(role, separator=", ") | select([user, roles])',
    },
  },
};
