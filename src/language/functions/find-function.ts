import { nearestName } from '../../core/nearest-name.ts';
import type { CallNode } from '../ast.ts';
import { isFunctionName } from '../function-names.ts';
import { print } from '../printer.ts';
import type { FunctionSignature, ParameterSignature } from './signature.ts';
import { SIGNATURES } from './signatures.ts';

const BY_NAME: ReadonlyMap<string, FunctionSignature> = new Map(
  SIGNATURES.map((signature) => [signature.name.toLowerCase(), signature]),
);

/** The function with this name, ignoring case. */
export function findSignature(name: string): FunctionSignature | undefined {
  return BY_NAME.get(name.toLowerCase());
}

/** Functions of other languages by what to write; with `$`, for their field. */
const SYNONYMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    $: 'todouble toint tolong tonumber toreal',
    '$, or format("%,d", field=$)': 'tostring',
    '$ - ($ % 100)': 'bin',
    '$[0]': 'mvindex',
    'array:length("$[]")': 'mvcount',
    avg: 'average mean',
    'cidr($, subnet="10.0.0.0/8")': 'cidr_match cidrmatch ipv4_is_private',
    'case { filter | field := value; * | field := value }': 'case if',
    coalesce: 'ifnull nvl',
    'count($, distinct=true)': 'count_distinct countdistinct distinct distinct_count uniq',
    '[{ filter | count($, distinct=true, as=n) }, count()]': 'dcountif',
    'collect($)': 'list make_list makeset values',
    concat: 'strcat',
    'concatArray($, separator=",")': 'mvjoin',
    'crypto:md5($)': 'md5',
    'formatTime("%Y-%m-%d", field=$)': 'format_datetime strftime',
    if: 'iff iif',
    length: 'len strlen',
    lower: 'lcase tolower',
    'math:ceil': 'ceiling',
    'parseJson($)': 'parse_json todynamic',
    'parseTimestamp("yyyy-MM-dd HH:mm:ss", field=$)': 'strptime',
    'percentile($, percentiles=[50])': 'median',
    'regex("(?<name>.+)", field=$)': 'extract',
    'regex(".*[/\\\\\\\\](?<name>.+)", field=$)': 'split',
    reverseDns: 'rdns',
    'selectFromMin(@timestamp, include=[$])': 'earliest last',
    'selectLast($)': 'any first take_any',
    'sort(@timestamp, order=asc, limit=max) | neighbor($, prefix=prev)': 'prev',
    stdDev: 'stdev',
    'text:contains': 'contains',
    'text:endsWith': 'endswith',
    'text:startsWith': 'startswith',
    'text:substring($, begin=0, end=3)': 'substr substring',
    'time:dayOfWeek($)': 'dayofweek',
    'time:hour($)': 'datetime_part hourofday',
    upper: 'toupper ucase',
  }).flatMap(([write, names]) => names.split(' ').map((name) => [name, write] as const)),
);

/**
 * The function with this name in a namespace, such as `math:sqrt` for `sqrt`, or the one with the most similar name.
 */
export function nearestFunction(name: string): string | undefined {
  const known = SIGNATURES.map((signature) => signature.name);
  const lower = name.toLowerCase();
  const inNamespace = known.find((one) => one.slice(one.indexOf(':') + 1).toLowerCase() === lower);
  const synonym = (lower === 'substring' ? undefined : inNamespace) ?? SYNONYMS.get(lower);
  if (synonym !== undefined) return /[$ ]/.test(synonym) ? undefined : synonym;
  const isSwapped = (one: string) => sortedLetters(one) === sortedLetters(lower);
  // One edit turns any short name into another: `bin` into `in`.
  const similar = lower.length < 4 ? known.filter(isSwapped) : known;
  return nearestName(name, similar, name.length < 6 ? 1 : 2);
}

const sortedLetters = (word: string) => [...word.toLowerCase()].sort().join('');

/** The error for a function of the service that is not supported here. */
export function unsupportedFunction(name: string): string {
  return `The function "${name}" is not supported by the local server`;
}

/** The error for a function that is not in the table. */
export function missingFunctionProblem(call: CallNode): string {
  const { name } = call;
  if (isFunctionName(name)) return unsupportedFunction(name);
  const meant = nearestFunction(name);
  const hint = meant === undefined ? insteadOf(print(call))?.slice(0, -1) : `Did you mean "${meant}"?`;
  return `There is no function "${name}"${hint === undefined ? '' : `. ${hint}`}`;
}

/** The time of an event in other languages. */
const TIMES = /\b(?:_time|TimeGenerated)\b/g;

/** What to write for a part of a condition or a call of another language. */
export function insteadOf(part: string): string | undefined {
  const [, left, operator, right] =
    /^([\w.@#]+)\s*([!=]=|=)\s*(?!true|false)([A-Za-z_][\w.]*)$/.exec(part) ?? [];
  if (left !== undefined)
    return `To compare fields, write test(${left} ${operator === '=' ? '==' : operator} ${right}).`;
  const sum = part.replace(TIMES, '@timestamp');
  if (/^(?:(?:now\(\)|[\w.@#]+)(?:\s*[-+*/%]\s*|$)){2,}$|^now\(\)$/.test(sum))
    return `Write ${sum}: ${/now|@timestamp/.test(sum) ? 'times are in milliseconds' : 'the fraction stays'}.`;
  const text = part.replace(/\b(?:to\w+|mvindex)\((?=\w+\()|\s+as\s.*/gi, '');
  const plain = text.replace(/"[^"]*"/g, '""');
  const [, name = '', values = ''] = /(\w+)\((.*)/s.exec(plain) ?? [];
  const isFromEnd = /^substr/i.test(name) && /,\s*-/.test(values);
  const synonym = isFromEnd ? 'regex(".*(?<name>.{3})", field=$)' : SYNONYMS.get(name.toLowerCase());
  const [field = 'field'] = /(?<!\w)[A-Za-z_@#][\w.@#]*(?![\w.@#(])/.exec(values) ?? [];
  // The first character is 1 elsewhere except in substring(), and the second number is a length.
  const [start = 1, length = 3] = (values.match(/(?<=,\s*)\d+/g) ?? []).map(Number);
  const begin = Math.max(start - (/^substring$/i.test(name) ? 0 : 1), 0);
  const call = (/[$ ]/.test(synonym ?? '') ? synonym! : `${synonym}($)`)
    .replaceAll('$', field.replace(TIMES, '@timestamp'))
    .replace('=0, end=3', `=${begin}, end=${begin + length}`);
  const isTest = /^[^(]*[<>=]|\)\s*[<>=!]/.test(plain) && !/^\w+\s*=[^=]/.test(plain);
  const alone = synonym === '$' ? ': values are numbers if possible' : '';
  return synonym && `Write ${isTest ? `test(${text.replace(/\w+\([^()]*\)/, () => call)})` : call + alone}.`;
}

/** The parameter with this name or alias. Parameter names are case-sensitive. */
export function findParameter(
  { parameters }: FunctionSignature,
  name: string,
): ParameterSignature | undefined {
  return (
    parameters.find((one) => one.name === name) ?? parameters.find(({ aliases }) => aliases?.includes(name))
  );
}

/** The parameter that an argument without a name belongs to. */
export function unnamedParameter({ parameters }: FunctionSignature): ParameterSignature | undefined {
  return parameters.find(({ isUnnamed }) => isUnnamed);
}
