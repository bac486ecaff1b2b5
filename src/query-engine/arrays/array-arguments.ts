import { type PipelineNode, type QueryNode, walk } from '../../query-language/index.ts';
import { isTrue } from '../columns/predicate.ts';
import { filterStep } from '../operators/filter-step.ts';
import type { StreamStep } from '../operators/operator.ts';
import { type ArgumentType, type ArgumentValueNode, readText } from '../signature/argument-types.ts';
import { withoutBackTicks } from '../signature/back-ticks.ts';
import type { CompiledCall, Scope } from '../signature/scope.ts';
import { matchesEverything } from '../text/glob.ts';
import { ArrayFields, withoutBrackets } from './array-fields.ts';

/** `"items[]"`; the brackets may be left out. */
export const arrayName: ArgumentType<ArrayFields> = {
  expects: 'an array name such as "items[]"',
  isList: false,
  read(node, scope) {
    const name = withoutBackTicks(withoutBrackets(readText(node, scope) ?? '[]'));
    return name === '' || name.includes('[]') ? undefined : new ArrayFields(name);
  },
};

/** What is applied to each element of an array. */
export interface ElementSteps {
  readonly steps: readonly StreamStep[];
  /** Whether the steps may read single elements of an array, besides the one that they are applied to. */
  mayReadElements(array: string): boolean;
}

/** `{ steps }` or a single call, to be applied to each element of an array. */
export function elementSteps(parameter: string): ArgumentType<ElementSteps> {
  return {
    expects: 'a function, or steps in { … }',
    form: { kind: 'steps' },
    isList: false,
    read: (node, scope) => readSteps(node, scope, parameter),
  };
}

/** As {@link elementSteps}, but a call such as `if(…)` counts by its value. */
export function elementCondition(parameter: string): ArgumentType<ElementSteps> {
  return {
    expects: 'a filter: a call such as in(…), or steps in { … }',
    form: { kind: 'steps' },
    isList: false,
    read(node, scope) {
      const call = node.kind === 'Call' ? scope.call(node) : undefined;
      if (node.kind !== 'Call' || (call?.kind !== 'value' && call?.kind !== 'filter')) {
        return readSteps(node, scope, parameter);
      }
      return {
        steps: [conditionStep(call)],
        mayReadElements: (array) => mayReadElements(node, array, scope),
      };
    },
  };
}

function conditionStep(call: Extract<CompiledCall, { kind: 'value' | 'filter' }>): StreamStep {
  if (call.kind === 'value') return filterStep(isTrue(call.value));
  return call.step ?? filterStep(call.test);
}

function readSteps(node: ArgumentValueNode, scope: Scope, parameter: string): ElementSteps | undefined {
  if (node.kind !== 'Subquery' && node.kind !== 'Call') return undefined;
  const pipeline: PipelineNode =
    node.kind === 'Subquery' ? node.pipeline : { kind: 'Pipeline', steps: [node], span: node.span };
  return {
    steps: scope.streamSteps(pipeline, parameter),
    mayReadElements: (array) => mayReadElements(pipeline, array, scope),
  };
}

/** Functions that only read fields whose names are in the text of the query; most others do, too, or run rarely here. */
const READS_NAMED_FIELDS: ReadonlySet<string> = new Set(
  [
    'base64Decode',
    'cidr',
    'coalesce',
    'concat',
    'eval',
    'format',
    'formatDuration',
    'formatTime',
    'if',
    'in',
    'length',
    'lower',
    'parseInt',
    'regex',
    'replace',
    'round',
    'test',
    'upper',
    'urlDecode',
    'wildcard',
  ].map((name) => name.toLowerCase()),
);

function readsNamedFields(functionName: string): boolean {
  return READS_NAMED_FIELDS.has(functionName) || /^(math|text|time):/.test(functionName);
}

/**
 * Whether a part of a query may read single elements of an array, such as `a[0]`. When it can't be seen, it may.
 *
 * What can't is applied to the elements of very long arrays without carrying the whole array along.
 */
function mayReadElements(node: QueryNode, array: string, scope: Scope): boolean {
  const beginning = `${array}[`;
  let found = false;
  const look = (text: string): void => {
    found ||= text.startsWith(beginning) && text !== `${array}[]` && !text.startsWith(`${array}[].`);
  };
  walk(node, {
    Field: ({ name }) => look(name),
    Bareword: ({ text }) => look(text),
    String: ({ value }) => look(value),
    Parameter: (parameter) => look(scope.parameter(parameter).text),
    Call({ name }) {
      found ||= !readsNamedFields(name.toLowerCase());
    },
    SavedQuery() {
      found = true;
    },
    // In a parser, free text looks for itself in every field of the row.
    FreeText({ value }) {
      found ||= value.kind !== 'Pattern' || !matchesEverything(value.text);
    },
  });
  return found;
}
