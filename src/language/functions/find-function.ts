import { nearestName } from '../../core/nearest-name.ts';
import type { CallNode } from '../ast.ts';
import { isFunctionName } from '../function-names.ts';
import type { FunctionSignature, ParameterSignature } from './signature.ts';
import { SIGNATURES } from './signatures.ts';

const BY_NAME: ReadonlyMap<string, FunctionSignature> = new Map(
  SIGNATURES.map((signature) => [signature.name.toLowerCase(), signature]),
);

/** The function with this name, ignoring case. */
export function findSignature(name: string): FunctionSignature | undefined {
  return BY_NAME.get(name.toLowerCase());
}

/** Functions of other languages; with `$`, what to write for their field. */
const SYNONYMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    average: 'avg',
    contains: 'text:contains',
    endswith: 'text:endsWith',
    extract: 'regex("(?<name>.+)", field=$)',
    iff: 'if',
    iif: 'if',
    ifnull: 'coalesce',
    lcase: 'lower',
    len: 'length',
    mean: 'avg',
    nvl: 'coalesce',
    rdns: 'reverseDns',
    startswith: 'text:startsWith',
    stdev: 'stdDev',
    strcat: 'concat',
    strlen: 'length',
    strptime: 'parseTimestamp("yyyy-MM-dd HH:mm:ss", field=$)',
    substr: 'text:substring($, begin=0, end=3)',
    toint: '$',
    tolower: 'lower',
    toupper: 'upper',
    ucase: 'upper',
  }),
);

/**
 * The function with this name in a namespace, such as `math:sqrt` for `sqrt`, or the one with the most similar name.
 */
export function nearestFunction(name: string): string | undefined {
  const known = SIGNATURES.map((signature) => signature.name);
  const lower = name.toLowerCase();
  const inNamespace = known.find((one) => one.slice(one.indexOf(':') + 1).toLowerCase() === lower);
  const synonym = SYNONYMS.get(lower);
  if (synonym !== undefined) return synonym.includes('$') ? undefined : synonym;
  const isSwapped = (one: string) => sortedLetters(one) === sortedLetters(lower);
  // One edit turns any short name into another: `bin` into `in`.
  const similar = lower.length < 4 ? known.filter(isSwapped) : known;
  return inNamespace ?? nearestName(name, similar, name.length < 6 ? 1 : 2);
}

function sortedLetters(word: string): string {
  return [...word.toLowerCase()].sort().join('');
}

/** Reasons why functions of the service are not supported locally, for error messages. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['eventinternals', 'it shows how the service stores an event'],
  ['readpersistedaggregation', 'it reads results stored on the service'],
  ['remotetable', 'it reads a table over a connection configured on the service'],
]);

/** The error for a function of the service that is not supported here. */
export function unsupportedFunction(name: string): string {
  if (name.toLowerCase() === 'rdns') return 'rdns() was removed in version 1.249: use reverseDns()';
  const reason = REASONS.get(name.toLowerCase());
  return `The function "${name}" is not supported by the local server${reason === undefined ? '' : `: ${reason}`}`;
}

/** The error for a function that is not in the table. */
export function missingFunctionProblem({ name, arguments: values }: CallNode): string {
  if (isFunctionName(name)) return unsupportedFunction(name);
  const synonym = SYNONYMS.get(name.toLowerCase());
  if (synonym?.includes('$')) {
    const words = values.map(({ value }) => (value.kind === 'Bareword' ? value.text : ''));
    const field = words.find((word) => /^[A-Za-z_@#]/.test(word)) ?? 'field';
    return `There is no function "${name}". Write ${synonym.replace('$', field)}`;
  }
  const meant = nearestFunction(name);
  return `There is no function "${name}"${meant === undefined ? '' : `. Did you mean "${meant}"?`}`;
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
