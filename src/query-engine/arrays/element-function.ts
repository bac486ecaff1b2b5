import { copyFields, type Fields, readField, writeField } from '../event.ts';
import { openSteps, type StreamStep } from '../operators/operator.ts';
import type { RunScope } from '../run/run-context.ts';
import type { ElementSteps } from './array-arguments.ts';
import { copyWithoutArray, type Element } from './array-elements.ts';
import type { ArrayFields } from './array-fields.ts';

export interface ElementFunctionOptions {
  readonly array: ArrayFields;
  /** What an element is called inside. Without it, it is called like the array, with or without brackets. */
  readonly variable: string | undefined;
  /** The field that the steps write their result to; it is missing when they begin. */
  readonly output?: string;
}

/** Steps that are applied to the elements of an array, with the other fields of the event around them. */
export class ElementFunction {
  readonly #create: (run: RunScope) => ElementRun;
  readonly #runs = new WeakMap<RunScope, ElementRun>();

  constructor({ steps, mayReadElements }: ElementSteps, { array, variable, output }: ElementFunctionOptions) {
    const { name } = array;
    const variables = variable === undefined ? [name, `${name}[]`] : [variable];
    const copy = mayReadElements(name) ? copyFields : (row: Fields): Fields => copyWithoutArray(row, name);
    this.#create = (run) => new ElementRun(steps, { variables, output, copy }, run);
  }

  /** Starts with the elements of another event. Those of the one before must be done. */
  begin(row: Fields, stored: Fields, run: RunScope): ElementRun {
    let elements = this.#runs.get(run);
    if (elements === undefined) {
      elements = this.#create(run);
      this.#runs.set(run, elements);
    }
    elements.begin(row, stored);
    return elements;
  }
}

interface ElementRunOptions {
  readonly variables: readonly string[];
  readonly output: string | undefined;
  readonly copy: (row: Fields) => Fields;
}

class ElementRun {
  readonly #variables: readonly string[];
  readonly #output: string | undefined;
  readonly #copy: (row: Fields) => Fields;
  /** The fields that the steps change in `#inner`; `undefined` when they get a copy of it instead. */
  readonly #changes: readonly string[] | undefined;
  readonly #push: (row: Fields, stored: Fields) => void;
  #row: Fields = {};
  #stored: Fields = {};
  /** The event as the steps see it. */
  #inner: Fields = {};
  #bound: string[] = [];
  #isUsed = false;
  #result: Fields | undefined;

  constructor(steps: readonly StreamStep[], { variables, output, copy }: ElementRunOptions, run: RunScope) {
    this.#variables = variables;
    this.#output = output;
    this.#copy = copy;
    this.#changes = changesOf(steps);
    this.#push = openSteps(
      steps,
      run,
      (row) => {
        this.#result ??= row;
      },
      this.#changes !== undefined,
    );
  }

  begin(row: Fields, stored: Fields): void {
    this.#row = row;
    this.#stored = stored;
    this.#inner = this.#copy(row);
    this.#bound = [];
    this.#isUsed = false;
    if (this.#output !== undefined) delete this.#inner[this.#output];
  }

  /**
   * Applies the steps to an element that is a value.
   *
   * @returns the row that they hand on, to be read before the next element; `undefined` when they drop the element.
   */
  applyToValue(value: string): Fields | undefined {
    this.#restore();
    for (const name of this.#variables) writeField(this.#inner, name, value);
    return this.#apply();
  }

  /** {@link applyToValue} for an element of any shape. */
  applyToElement(element: Element): Fields | undefined {
    this.#restore();
    for (const name of this.#bound) this.#reset(name);
    this.#bound = this.#variables.flatMap((variable) => element.map(([rest]) => variable + rest));
    let index = 0;
    for (const name of this.#bound) {
      writeField(this.#inner, name, element[index % element.length]![1]);
      index += 1;
    }
    return this.#apply();
  }

  #apply(): Fields | undefined {
    this.#isUsed = true;
    this.#result = undefined;
    this.#push(this.#inner, this.#stored);
    return this.#result;
  }

  /** Takes back what the steps changed for the element before. */
  #restore(): void {
    if (this.#changes === undefined || !this.#isUsed) return;
    for (const name of this.#changes) this.#reset(name);
  }

  #reset(name: string): void {
    const original = name === this.#output ? undefined : readField(this.#row, name);
    if (original === undefined) delete this.#inner[name];
    else writeField(this.#inner, name, original);
  }
}

function changesOf(steps: readonly StreamStep[]): readonly string[] | undefined {
  const changes: string[] = [];
  for (const { writes } of steps) {
    if (writes === undefined) return undefined;
    changes.push(...writes);
  }
  return changes;
}
