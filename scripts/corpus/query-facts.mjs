import { walk } from 'logclient/query-language';

/** Functions that read an IP address from a field. */
const ADDRESS_FUNCTIONS = /^(?:cidr|iplocation|asn|subnet|rdns|reversedns)$/;
const NUMBER_FUNCTIONS =
  /^(?:sum|avg|min|max|range|stddev|percentile|round|formatduration|formattime|unit:convert|math:.*|time:.*|selectfrom.*)$/;
const FILE_FUNCTIONS = /^(?:match|matchasarray|readfile|lookup|cidr)$/;

/**
 * What a query reveals about the events it expects.
 * - `fields`: name → `{ patterns, regexes, numbers, kinds }`
 * - `texts`, `regexes`: what it searches for in any field
 * - `files`: lookup files, name → the set of columns
 * - `parameters`: names without a default → where they are used
 */
export function factsOf(tree) {
  const facts = { fields: new Map(), texts: [], regexes: [], files: new Map(), parameters: new Map() };
  const defaults = new Set();
  walk(tree, {
    Comparison: (node) => noteComparison(facts, node),
    FreeText({ value }) {
      if (value.kind === 'Pattern') facts.texts.push(value.text);
      if (value.kind === 'Regex') facts.regexes.push(value.body);
    },
    Match({ field, arms }) {
      for (const { guard } of arms) noteValue(fieldFacts(facts, field.name), guard);
    },
    FieldCall({ field, call }) {
      noteCall(facts, call, field.name);
      return undefined;
    },
    Call(node) {
      noteCall(facts, node);
      noteParameters(facts, node);
    },
    Bareword({ text }) {
      if (/^[\p{L}@#_]/u.test(text) && !text.includes('*')) fieldFacts(facts, text);
    },
    Parameter(node, parent) {
      if (node.defaultValue !== undefined) defaults.add(node.name);
      else if (!facts.parameters.has(node.name)) facts.parameters.set(node.name, placeOf(parent));
    },
  });
  for (const name of defaults) facts.parameters.delete(name);
  return facts;
}

/** Maps a parameter that is a whole argument to the name of the argument or, if it has none, of the function. */
function noteParameters({ parameters }, { name, arguments: given }) {
  for (const { name: argument, value } of given) {
    if (value.kind !== 'Parameter' || parameters.has(value.name)) continue;
    parameters.set(value.name, argument?.name ?? name);
  }
}

function placeOf(parent) {
  if (parent?.kind === 'Binary' || parent?.kind === 'Unary') return 'number';
  if (parent?.kind === 'Comparison' && '<>'.includes(parent.operator[0])) return 'number';
  return 'pattern';
}

function fieldFacts({ fields }, name) {
  let known = fields.get(name);
  if (known === undefined) {
    known = { patterns: [], regexes: [], numbers: [], kinds: new Set() };
    fields.set(name, known);
  }
  return known;
}

function noteValue(known, value) {
  if (value.kind === 'Pattern') known.patterns.push(value.text);
  if (value.kind === 'Regex') known.regexes.push(value.body);
  if (value.kind === 'Number') known.numbers.push(Number(value.text));
}

function noteComparison(facts, { field, operator, value }) {
  const known = fieldFacts(facts, field.name);
  if (operator !== '!=') noteValue(known, value);
  if (value.kind === 'Call') noteCall(facts, value, field.name);
}

function noteCall(facts, { name: written, arguments: given }, subject) {
  const name = written.toLowerCase();
  const named = new Map(given.map((one) => [one.name?.name ?? '', textsOf(one.value)]));
  const fields = subject !== undefined ? [subject] : (named.get('field') ?? named.get('') ?? []);
  const kind = ADDRESS_FUNCTIONS.test(name) ? 'address' : NUMBER_FUNCTIONS.test(name) ? 'number' : undefined;
  for (const field of FILE_FUNCTIONS.test(name) && subject === undefined
    ? (named.get('field') ?? [])
    : fields) {
    const known = fieldFacts(facts, field);
    if (kind !== undefined) known.kinds.add(kind);
    if (name === 'in') known.patterns.push(...(named.get('values') ?? []));
    if (name === 'parsejson') known.kinds.add('json');
  }
  if (!FILE_FUNCTIONS.test(name) || named.has('table')) return;
  const files = named.get('file') ?? (name === 'cidr' ? [] : (named.get('') ?? []));
  const columns = [named.get('column') ?? fields, named.get('include') ?? []].flat();
  for (const file of files.filter((name) => /\.(?:csv|json)$/.test(name))) {
    const known = facts.files.get(file) ?? new Set();
    for (const column of columns) if (column !== '*') known.add(column);
    facts.files.set(file, known);
  }
}

/** The texts in a value, including those in arrays. */
function textsOf(value) {
  if (value.kind === 'Bareword') return [value.text];
  if (value.kind === 'String') return [value.value];
  return value.kind === 'Array' ? value.elements.flatMap(textsOf) : [];
}
