import { arrayName, elementCondition, elementSteps } from '../arrays/array-arguments.ts';
import { readElements, readSparseElements } from '../arrays/array-fields.ts';
import { ElementFunction } from '../arrays/element-function.ts';
import { somePasses } from '../columns/column-test.ts';
import { readField } from '../event.ts';
import { editStep, unknownColumns } from '../operators/row-code.ts';
import { fieldName } from '../signature/argument-types.ts';
import type { CallSite } from '../signature/call-site.ts';
import { define, optional, required } from '../signature/function-spec.ts';

/**
 * Elements of an array of objects are addressed as `x.key` and `x[0]`, so `x` itself must contain none of these
 * characters.
 */
function checkObjectVariable(variable: string | undefined, call: CallSite): void {
  if (variable === undefined || !/[.[\]]/.test(variable)) return;
  call.fail('"var" must be a plain name, without dots and brackets', 'var');
}

/**
 * Maps the elements of an array: the steps write the result to the field named like the output. Elements without a
 * result are skipped, so the output has no gaps.
 */
export const arrayEval = define.transform({
  name: 'array:eval',
  parameters: {
    array: required(arrayName, { unnamed: true }),
    function: required(elementSteps('function')),
    var: optional(fieldName),
    asArray: optional(arrayName),
  },
  compile({ array, function: steps, var: variable, asArray = array }) {
    const { name: output } = asArray;
    const apply = new ElementFunction(steps, { array, variable, output });
    return editStep((row, run) => {
      const values = array.valuesIn(row);
      if (values.length === 0) return;
      const elements = apply.begin(row, run);
      const results = values.flatMap((value) => elements.apply([['', value]])?.output ?? []);
      asArray.replace(row, results);
    }, unknownColumns);
  },
});

/** Keeps events in whose array an element satisfies a condition. The condition can use other fields, too. */
export const arrayExists = define.filter({
  name: 'array:exists',
  parameters: {
    array: required(arrayName, { unnamed: true }),
    condition: required(elementCondition('condition')),
    var: optional(fieldName),
  },
  compile({ array, condition, var: variable }) {
    const accepts = new ElementFunction(condition, { array, variable });
    return {
      test(row, run) {
        if (readField(row, array.fieldAt(0)) === undefined) return false;
        const elements = accepts.begin(row, run);
        return somePasses((passes) => array.some(row, (value) => passes(elements.test([['', value]]))));
      },
    };
  },
});

/** Keeps the elements that pass a filter, without gaps. */
export const arrayFilter = define.transform({
  name: 'array:filter',
  uncertain: ['The result replaces all elements of an existing target array.'],
  parameters: {
    array: required(arrayName, { unnamed: true }),
    function: required(elementCondition('function')),
    var: optional(fieldName),
    asArray: optional(arrayName),
  },
  compile({ array, function: steps, var: variable, asArray = array }) {
    const accepts = new ElementFunction(steps, { array, variable });
    return editStep((row, run) => {
      const values = array.valuesIn(row);
      if (values.length === 0) return;
      const elements = accepts.begin(row, run);
      asArray.replace(
        row,
        values.filter((value) => elements.apply([['', value]]) !== undefined),
      );
    }, unknownColumns);
  },
});

/**
 * Maps the elements of an array of objects: the steps write the result to the field named like the output. Missing
 * elements and those without a result are skipped, so the output has no gaps.
 */
export const objectArrayEval = define.transform({
  name: 'objectArray:eval',
  parameters: {
    array: required(arrayName, { unnamed: true }),
    asArray: required(arrayName),
    function: required(elementSteps('function')),
    var: optional(fieldName),
  },
  compile({ array, asArray, function: steps, var: variable }, call) {
    checkObjectVariable(variable, call);
    if (asArray.name === array.name) {
      call.fail(
        'objectArray:eval() can\'t overwrite the array that it reads: set "asArray" to another name',
        'asArray',
      );
    }
    const { name: output } = asArray;
    const apply = new ElementFunction(steps, { array, variable, output });
    return editStep((row, run) => {
      const elements = readSparseElements(row, array.name);
      if (elements.length === 0) return;
      const inner = apply.begin(row, run);
      const results = elements.flatMap((element) => inner.apply(element)?.output ?? []);
      asArray.replace(row, results);
    }, unknownColumns);
  },
});

/** Keeps events in whose array of objects an element satisfies a condition: `x.key` is a member of the element `x`. */
export const objectArrayExists = define.filter({
  name: 'objectArray:exists',
  parameters: {
    array: required(arrayName, { unnamed: true }),
    condition: required(elementCondition('condition')),
    var: optional(fieldName),
  },
  compile({ array, condition, var: variable }, call) {
    checkObjectVariable(variable, call);
    const accepts = new ElementFunction(condition, { array, variable });
    return {
      test(row, run) {
        const elements = readElements(row, array.name);
        if (elements.length === 0) return false;
        const inner = accepts.begin(row, run);
        return somePasses((passes) => elements.some((element) => passes(inner.test(element))));
      },
    };
  },
});
