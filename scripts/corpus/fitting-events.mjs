import { textMatching } from './regex-text.mjs';

const WORDS = [
  'alpha',
  'beta',
  'gamma',
  'delta',
  'explorer.exe',
  'web-01',
  'user@example.com',
  'C:\\Temp\\a.txt',
];

/** An event that a query with these facts probably matches, as an element of a structured ingest request. */
export function fittingEvent(facts, timestamp, random) {
  const attributes = {};
  const tags = {};
  for (const [name, known] of facts.fields) {
    // Real events sometimes lack a field.
    if (random.next() < 0.1) continue;
    if (name.startsWith('#')) tags[name.slice(1)] = fittingValue(known, random);
    else if (!name.startsWith('@')) attributes[name] = fittingValue(known, random);
  }
  const rawstring = rawstringOf(facts, attributes, random);
  return { tags, events: [{ timestamp, attributes, rawstring }] };
}

export function fittingValue({ patterns, regexes, numbers, kinds }, random) {
  const choices = [
    ...patterns.map((text) => text.replace(/\*+/g, () => random.pick(['', 'x', 'word']))),
    ...regexes.map((body) => textMatching(body, random)),
    ...numbers.map((number) => String(number + random.below(3) - 1)),
  ];
  if (choices.length > 0) return random.pick(choices);
  if (kinds.has('address')) return `10.${random.below(4)}.0.${random.below(256)}`;
  if (kinds.has('json')) return JSON.stringify({ id: random.below(100), name: random.pick(WORDS) });
  return kinds.has('number') || random.next() < 0.4 ? String(random.below(100_000)) : random.pick(WORDS);
}

function rawstringOf({ texts, regexes, fields }, attributes, random) {
  const raw = fields.get('@rawstring');
  if (raw !== undefined && raw.patterns.length + raw.regexes.length > 0) return fittingValue(raw, random);
  const found = [
    ...texts.map((text) => text.replaceAll('*', '')),
    ...regexes.map((body) => textMatching(body, random)),
  ];
  return [...found, ...Object.entries(attributes).map(([name, value]) => `${name}="${value}"`)].join(' ');
}

/** The value for a parameter without a default, chosen by where it is used. */
export function parameterValue(place) {
  if (/limit|buckets|number|percent|distance|max|events/i.test(place)) return '10';
  if (/span|duration|within|maxpause/i.test(place)) return '1h';
  if (/timezone/i.test(place)) return 'UTC';
  if (/ignoreCase|distinct|strict|replaceEmpty/.test(place)) return 'true';
  if (/confidence/i.test(place)) return 'high';
  if (/regex|^replace$/i.test(place)) return '.';
  if (/function/i.test(place)) return 'count';
  return /^(?:field|as|key|series|source|target|sortby|by)$/.test(place) ? 'aid' : '*';
}

/** A lookup file with these columns and with values that events are likely to have. */
export function lookupFile(name, columns, fields, random) {
  const header = [...columns, 'value'].filter((column, index, all) => all.indexOf(column) === index);
  const none = { patterns: [], regexes: [], numbers: [], kinds: new Set() };
  const rows = Array.from({ length: 5 }, () =>
    header.map((column) => fittingValue(fields.get(column) ?? none, random)),
  );
  if (name.endsWith('.json')) {
    return JSON.stringify(
      rows.map((row) => Object.fromEntries(row.map((value, index) => [header[index], value]))),
    );
  }
  return [header, ...rows].map((row) => row.map(quoteCsv).join(',')).join('\n');
}

function quoteCsv(value) {
  return `"${value.replaceAll('"', '""')}"`;
}
