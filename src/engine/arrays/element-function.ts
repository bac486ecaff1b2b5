import type { Verdict } from '../columns/column-test.ts';
import type { TakeEvent } from '../columns/event-table.ts';
import { RowTable } from '../columns/row-table.ts';
import { copyFields, type Fields, readField, writeField } from '../event.ts';
import { openSteps, type StreamStep } from '../operators/operator.ts';
import type { RunScope } from '../run/run-context.ts';
import type { ArrayFields, Element } from './array-fields.ts';

export interface ElementFunctionOptions {
  readonly array: ArrayFields;
  /** Name of the element inside the steps. Default: the name of the array, with or without brackets. */
  readonly variable: string | undefined;
  /** Field with the steps' result; it is missing when they start. */
  readonly output?: string;
}

/** The result of the steps for one element. */
export interface ElementResult {
  /** Value of the output field. */
  readonly output: string | undefined;
}

/** Steps that run on each element of an array and can read the other fields of the event. */
export class ElementFunction {
  readonly #create: (run: RunScope) => ElementRun;
  readonly #runs = new WeakMap<RunScope, ElementRun>();

  constructor(steps: readonly StreamStep[], options: ElementFunctionOptions) {
    this.#create = (run) => new ElementRun(steps, options, run);
  }

  /** Starts with another event. The elements of the previous event must be done. */
  begin(row: Fields, run: RunScope): ElementRun {
    let elements = this.#runs.get(run);
    if (elements === undefined) {
      elements = this.#create(run);
      this.#runs.set(run, elements);
    }
    elements.begin(row);
    return elements;
  }
}

class ElementRun {
  readonly #variables: readonly string[];
  readonly #output: string | undefined;
  readonly #run: RunScope;
  readonly #take: TakeEvent | undefined;
  #row: Fields = {};
  /** The event that the steps receive. */
  #inner: Fields = {};
  #bound: string[] = [];
  #count = 0;
  #result: ElementResult | undefined;

  constructor(
    steps: readonly StreamStep[],
    { array, variable, output }: ElementFunctionOptions,
    run: RunScope,
  ) {
    this.#variables = variable === undefined ? [array.name, `${array.name}[]`] : [variable];
    this.#output = output;
    this.#run = run;
    const elements = RowTable.passing(
      () => this.#inner,
      RowTable.passing(() => this.#row),
    );
    this.#take = openSteps(steps, run, {
      from: (table) => {
        const column = output === undefined ? undefined : table.column(output);
        return (index) => {
          this.#result ??= { output: column?.at(index) };
        };
      },
    }).from(elements);
  }

  begin(row: Fields): void {
    this.#row = row;
    this.#inner = copyFields(row);
    this.#bound = [];
    if (this.#output !== undefined) delete this.#inner[this.#output];
  }

  /** Runs the steps on an element. @returns `undefined` if the steps drop the element. */
  apply(element: Element): ElementResult | undefined {
    for (const name of this.#bound) this.#reset(name);
    this.#bound = [];
    for (const variable of this.#variables) {
      for (const [rest, value] of element) {
        this.#bound.push(variable + rest);
        writeField(this.#inner, variable + rest, value);
      }
    }
    this.#result = undefined;
    this.#take?.(this.#count++);
    return this.#result;
  }

  /** Whether the steps keep an element; `undefined` if that is undecided. */
  test(element: Element): Verdict {
    const { discards } = this.#run;
    const discarded = discards.count;
    return this.apply(element) !== undefined || (discards.count === discarded ? false : undefined);
  }

  /** Removes the fields of the previous element. */
  #reset(name: string): void {
    const original = name === this.#output ? undefined : readField(this.#row, name);
    if (original === undefined) delete this.#inner[name];
    else writeField(this.#inner, name, original);
  }
}
