import type { PipelineNode } from '../../language/index.ts';
import { isTrue } from '../columns/predicate.ts';
import { filterStep } from '../operators/field-steps.ts';
import type { StreamStep } from '../operators/operator.ts';
import { type ArgumentType, type ArgumentValueNode, readText } from '../signature/argument-types.ts';
import { withoutBackTicks } from '../signature/back-ticks.ts';
import type { Scope } from '../signature/scope.ts';
import { ArrayFields, withoutBrackets } from './array-fields.ts';

/** `"items[]"`; the brackets are optional. */
export const arrayName: ArgumentType<ArrayFields> = {
  expects: 'an array name such as "items[]"',
  read(node, scope) {
    const name = withoutBackTicks(withoutBrackets(readText(node, scope) ?? '[]'));
    return name === '' || name.includes('[]') ? undefined : new ArrayFields(name);
  },
};

/** `{ steps }` or a single call, applied to each element of an array. */
export function elementSteps(parameter: string): ArgumentType<readonly StreamStep[]> {
  return {
    expects: 'a function, or steps in { … }',
    form: { kind: 'steps' },
    read: (node, scope) => readSteps(node, scope, parameter),
  };
}

/** Like {@link elementSteps}, but a call such as `if(…)` is a condition. */
export function elementCondition(parameter: string): ArgumentType<readonly StreamStep[]> {
  return {
    expects: 'a filter: a call such as in(…), or steps in { … }',
    form: { kind: 'steps' },
    read(node, scope) {
      const call = node.kind === 'Call' ? scope.call(node) : undefined;
      if (node.kind !== 'Call' || (call?.kind !== 'value' && call?.kind !== 'filter')) {
        return readSteps(node, scope, parameter);
      }
      if (call.kind === 'value') return [filterStep(isTrue(call.value))];
      return [call.step ?? filterStep(call.test)];
    },
  };
}

function readSteps(
  node: ArgumentValueNode,
  scope: Scope,
  parameter: string,
): readonly StreamStep[] | undefined {
  if (node.kind !== 'Subquery' && node.kind !== 'Call') return undefined;
  const pipeline: PipelineNode =
    node.kind === 'Subquery' ? node.pipeline : { kind: 'Pipeline', steps: [node], span: node.span };
  return scope.streamSteps(pipeline, parameter);
}
