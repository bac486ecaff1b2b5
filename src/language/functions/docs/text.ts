import { functionGroup } from './function-doc.ts';

export const textDocs = functionGroup(
  'Strings',
  `
format: Formats fields as a string with a printf-style template. ⇒ line := format("%s %s took %d ms", field=[http.method, http.path, ms]) | head(2) | select(line)
concat: Joins the values of fields into one string. ⇒ endpoint := concat([#service, http.path]) | top(endpoint, limit=2)
replace: Replaces every match of a regular expression. ⇒ replace("/\\d+$", with="/:id", field=http.path) | groupBy(http.path)
splitString: Splits a string into an array, or returns one of its parts. ⇒ resource := splitString(http.path, by="/", index=1) | groupBy(resource)
lower: Converts a string to lowercase. ⇒ name := lower(user) | groupBy(name)
upper: Converts a string to uppercase. ⇒ level := upper(level) | groupBy(level)
lowercase: Converts field values, field names or both to lowercase in place. ⇒ lowercase(field="*", include=both)
length: Returns the number of UTF-16 code units in a field. ⇒ size := length(http.path) | top(http.path, max=size, limit=2)
text:length: Returns the number of visible characters in a string. ⇒ characters := text:length(name) | units := length(name)
text:substring: Returns the part of a string between two positions. ⇒ area := text:substring(phone, begin=0, end=3)
text:positionOf: Returns the position of a character or substring in a string. ⇒ at := text:positionOf(email, character="@")
text:trim: Removes whitespace from one or both ends of a field. ⇒ name := text:trim(name)
text:editDistance: Returns the number of edits needed to turn one string into another. ⇒ edits := text:editDistance(target=domain, reference="example.com", maxDistance=3)
text:editDistanceAsArray: Returns the edit distance from a string to each of several reference strings. ⇒ text:editDistanceAsArray(target=domain, references=["example.com", "sample.com"], maxDistance=3, asArray="near[]")
shannonEntropy: Returns the Shannon entropy of the characters in a field, in bits. ⇒ entropy := shannonEntropy(domain)
stripAnsiCodes: Removes ANSI escape codes, such as terminal colors. ⇒ stripAnsiCodes(msg)
`,
);
