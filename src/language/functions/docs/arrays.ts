import { functionGroup } from './function-doc.ts';

export const arrayDocs = functionGroup(
  'Arrays',
  `
array:contains: Keeps events whose array has an element with the given value. ⇒ array:contains("role[]", value="admin")
array:regex: Keeps events whose array has an element that matches a regular expression. ⇒ array:regex("role[]", regex="^(ops|sre)$")
array:exists: Keeps events whose array has an element that meets a condition. ⇒ array:exists("ms[]", var=x, condition={ x > 200 })
objectArray:exists: Keeps events whose array of objects has an element that meets a condition. ⇒ objectArray:exists("items[]", var=item, condition={ item.price > 15 })
array:length: Returns the number of elements in an array. ⇒ roles := array:length("role[]") | select([user, roles])
array:append: Appends values to an array, or creates the array. ⇒ array:append("role[]", values=["guest"])
array:drop: Removes an array. ⇒ array:drop("role[]")
array:rename: Renames an array. ⇒ array:rename("role[]", asArray="group[]")
array:dedup: Removes duplicate elements from an array. ⇒ array:dedup("color[]")
array:sort: Sorts the elements of an array. ⇒ array:sort("ms[]", type=number, order=desc)
array:filter: Keeps the elements of an array that pass a filter. ⇒ array:filter("ms[]", var=x, function={ x < 100 }, asArray="fast[]") | array:drop("ms[]")
array:eval: Computes a new element from each element of an array. ⇒ array:eval("ms[]", var=x, asArray="seconds[]", function={ seconds := x / 1000 }) | array:drop("ms[]")
objectArray:eval: Computes a new element from each object in an array. ⇒ objectArray:eval("items[]", var=item, asArray="gross[]", function={ gross := item.price * 1.25 })
  | select([order, gross[0], gross[1]])
array:reduceRow: Runs an aggregate on the array elements in each event. ⇒ array:reduceRow("ms[]", var=x, function=max(x), as=slowest) | select([order, slowest._max])
array:reduceColumn: Runs an aggregate on the elements at each array position, across all events. ⇒ array:reduceColumn("ms[]", var=x, function=avg(x))
array:reduceAll: Runs one aggregate on the array elements of all events. ⇒ array:reduceAll("role[]", var=name, function=groupBy(name))
array:union: Returns the values that an array has in at least one event. ⇒ array:union("role[]", as=any)
array:intersection: Returns the values that an array has in every event. ⇒ array:intersection("role[]", as=common)
concatArray: Joins the elements of an array into one string. ⇒ roles := concatArray(role, separator=", ") | select([user, roles])
`,
);
