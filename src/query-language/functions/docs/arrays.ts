import type { FunctionGroup } from './function-doc.ts';

const COLORS = [{ order: '17', 'color[0]': 'red', 'color[1]': 'blue', 'color[2]': 'red' }];
const TIMINGS = [{ order: '17', 'ms[0]': '12', 'ms[1]': '250', 'ms[2]': '31' }];
const ITEMS = [
  {
    order: '17',
    'items[0].sku': 'A1',
    'items[0].price': '9.50',
    'items[1].sku': 'B2',
    'items[1].price': '20',
  },
];
const ROLES = [
  { user: 'ann', 'role[0]': 'admin', 'role[1]': 'dev' },
  { user: 'bob', 'role[0]': 'dev', 'role[1]': 'ops' },
];

export const arrayDocs: FunctionGroup = {
  title: 'Arrays',
  functions: {
    'array:contains': {
      sentence: 'Keeps events whose array has an element with the given value.',
      example: 'array:contains("role[]", value="admin")',
      events: ROLES,
    },
    'array:regex': {
      sentence: 'Keeps events whose array has an element that matches a regular expression.',
      example: 'array:regex("role[]", regex="^(ops|sre)$")',
      events: ROLES,
    },
    'array:exists': {
      sentence: 'Keeps events whose array has an element that meets a condition.',
      example: 'array:exists("ms[]", var=x, condition={ x > 200 })',
      events: TIMINGS,
    },
    'objectArray:exists': {
      sentence: 'Keeps events whose array of objects has an element that meets a condition.',
      example: 'objectArray:exists("items[]", var=item, condition={ item.price > 15 })',
      events: ITEMS,
    },
    'array:length': {
      sentence: 'Returns the number of elements in an array.',
      example: 'roles := array:length("role[]") | select([user, roles])',
      events: ROLES,
    },
    'array:append': {
      sentence: 'Appends values to an array, or creates the array.',
      example: 'array:append("role[]", values=["guest"])',
      events: ROLES,
    },
    'array:drop': {
      sentence: 'Removes an array.',
      example: 'array:drop("role[]")',
      events: ROLES,
    },
    'array:rename': {
      sentence: 'Renames an array.',
      example: 'array:rename("role[]", asArray="group[]")',
      events: ROLES,
    },
    'array:dedup': {
      sentence: 'Removes duplicate elements from an array.',
      example: 'array:dedup("color[]")',
      events: COLORS,
    },
    'array:sort': {
      sentence: 'Sorts the elements of an array.',
      example: 'array:sort("ms[]", type=number, order=desc)',
      events: TIMINGS,
    },
    'array:filter': {
      sentence: 'Keeps the elements of an array that pass a filter.',
      example: 'array:filter("ms[]", var=x, function={ x < 100 }, asArray="fast[]") | array:drop("ms[]")',
      events: TIMINGS,
    },
    'array:eval': {
      sentence: 'Computes a new element from each element of an array.',
      example:
        'array:eval("ms[]", var=x, asArray="seconds[]", function={ seconds := x / 1000 }) | array:drop("ms[]")',
      events: TIMINGS,
    },
    'objectArray:eval': {
      sentence: 'Computes a new element from each object in an array.',
      example:
        'objectArray:eval("items[]", var=item, asArray="gross[]", function={ gross := item.price * 1.25 })\n| select([order, gross[0], gross[1]])',
      events: ITEMS,
    },
    'array:reduceRow': {
      sentence: 'Runs an aggregate on the array elements in each event.',
      example: 'array:reduceRow("ms[]", var=x, function=max(x), as=slowest) | select([order, slowest._max])',
      events: TIMINGS,
    },
    'array:reduceColumn': {
      sentence: 'Runs an aggregate on the elements at each array position, across all events.',
      example: 'array:reduceColumn("ms[]", var=x, function=avg(x))',
      events: [
        { 'ms[0]': '10', 'ms[1]': '200' },
        { 'ms[0]': '20', 'ms[1]': '300' },
      ],
    },
    'array:reduceAll': {
      sentence: 'Runs one aggregate on the array elements of all events.',
      example: 'array:reduceAll("role[]", var=name, function=groupBy(name))',
      events: ROLES,
    },
    'array:union': {
      sentence: 'Returns the values that an array has in at least one event.',
      example: 'array:union("role[]", as=any)',
      events: ROLES,
    },
    'array:intersection': {
      sentence: 'Returns the values that an array has in every event.',
      example: 'array:intersection("role[]", as=common)',
      events: ROLES,
    },
    concatArray: {
      sentence: 'Joins the elements of an array into one string.',
      example: 'roles := concatArray(role, separator=", ") | select([user, roles])',
      events: ROLES,
    },
  },
};
