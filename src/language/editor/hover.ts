import type { Span } from '../ast.ts';
import type { KnownSource } from '../diagnostics/source-checks.ts';
import { findParameter, findSignature } from '../functions/find-function.ts';
import { describeFunction, type FunctionHelp } from '../functions/function-help.ts';
import type { ParameterSignature } from '../functions/signature.ts';
import { callAround } from './call-around.ts';
import { highlight } from './highlight.ts';

/** Documentation of a part of a query. */
export interface Hover {
  readonly span: Span;
  /** One line: the usage of a function, the name of anything else. */
  readonly title: string;
  /** Sentences. */
  readonly description: string;
  /** Present for the name of a function. */
  readonly help?: FunctionHelp;
}

const KEYWORDS: Readonly<Record<string, string>> = {
  and: 'Both filters must match. A space means the same. Binds less tightly than "or".',
  or: 'One of the filters must match. Binds more tightly than "and".',
  not: 'The filter must not match.',
  case: 'Runs the first clause whose first filter matches: case { filter | steps; * | steps }. Drops events that match none.',
  match: 'Runs the first arm whose guard matches the field: field match { value => steps; * => steps }.',
  like: 'The field contains the pattern.',
};

/** Describes the function, parameter, field or keyword at an offset; `undefined` if there is none. */
export function hover(query: string, offset: number, source: KnownSource = {}): Hover | undefined {
  const part = highlight(query).find(
    ({ span }) => span.start <= offset && offset <= span.end && span.end > offset,
  );
  if (part === undefined) return undefined;
  const { span } = part;
  const text = query.slice(span.start, span.end);
  switch (part.kind) {
    case 'function': {
      const help = describeFunction(text);
      return help && { span, title: help.usage, description: help.description, help };
    }
    case 'argument':
      return describeParameter(query, span, text);
    case 'keyword': {
      const description = KEYWORDS[text.toLowerCase()];
      return description === undefined ? undefined : { span, title: text.toLowerCase(), description };
    }
    case 'savedQuery': {
      const name = text.replace(/^"|"$/g, '');
      const known = source.savedQueries?.find((one) => one.name === name);
      return known && { span, title: `$${name}`, description: known.description ?? 'A saved query.' };
    }
    default:
      return describeField(text, span, source);
  }
}

function describeParameter(query: string, span: Span, name: string): Hover | undefined {
  const call = callAround(query, span.start);
  const signature = call && findSignature(call.name);
  const parameter = signature && findParameter(signature, name);
  if (signature === undefined || parameter === undefined) return undefined;
  const title = `${signature.name}(${parameter.name}=…)`;
  return { span, title, description: describeValue(parameter) };
}

/** A sentence about the values of a parameter. */
export function describeValue({ expects, isRequired, defaultValue }: ParameterSignature): string {
  const [first = '', ...rest] = expects;
  const end =
    isRequired === true ? ' Required.' : defaultValue === undefined ? '' : ` Default: ${defaultValue}.`;
  return `${first.toUpperCase()}${rest.join('')}.${end}`;
}

function describeField(text: string, span: Span, { fields = [] }: KnownSource): Hover | undefined {
  const name = text.replace(/^"|"$/g, '');
  const known = fields.find((one) => one.name === name);
  if (known === undefined) return undefined;
  const { values = [] } = known;
  const shown = values.slice(0, 10);
  if (shown.every((value) => Number.isFinite(Number(value)))) shown.sort((a, b) => Number(a) - Number(b));
  const description = values.length === 0 ? 'A field.' : `Values: ${shown.join(', ')}.`;
  return { span, title: name, description };
}
