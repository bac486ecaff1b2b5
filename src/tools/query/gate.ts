import { countText } from '../../core/count-text.ts';
import { CommandFailure, usageFailure } from '../output/command-failure.ts';
import type { Flag, FlagsOf } from '../output/flag.ts';
import { wholeNumber } from '../output/flag-values.ts';
import { cellText, type Row } from '../output/row-format.ts';

/** Flags that turn a query into a CI gate. */
export const GATE_FLAGS = [
  [
    '--fail-on-empty',
    'Exit with status 1 if nothing matches (no rows, or a single count of 0).',
    undefined,
    'live',
  ],
  ['--fail-on-match', 'Exit with status 1 if anything matches.', undefined, ['failOnEmpty', 'live']],
  ['--fail-code <code>', 'Exit status for both of these, instead of 1.', wholeNumber(1, 125)],
] as const satisfies readonly Flag[];

type GateFlags = FlagsOf<typeof GATE_FLAGS> & { readonly quiet?: boolean };

/** @throws CommandFailure for a code without a condition. */
export function checkGateFlags({ failOnEmpty, failOnMatch, failCode }: GateFlags): void {
  if (failCode !== undefined && (failOnEmpty ?? failOnMatch) === undefined) {
    throw usageFailure('--fail-code requires --fail-on-empty or --fail-on-match.');
  }
}

/** Counts the rows of a result and decides whether it passes. */
export class Gate {
  readonly #flags: GateFlags;
  #rows = 0;
  /** Whether a row of `explain:asTable()` is a step that no event passes. */
  #loses = false;
  #first: Row | undefined;

  constructor(flags: GateFlags) {
    this.#flags = flags;
  }

  see(rows: readonly Row[]): void {
    this.#first ??= rows[0];
    this.#rows += rows.length;
    this.#loses ||= rows.some(({ stepID, eventsOut }) => stepID !== undefined && eventsOut === '0');
  }

  /** @throws CommandFailure if the result does not pass. */
  check(isAggregate: boolean): void {
    const isEmpty = this.#isEmpty(isAggregate);
    const { failOnEmpty, failOnMatch, failCode } = this.#flags;
    if (failOnEmpty === true && isEmpty)
      throw new CommandFailure('--fail-on-empty: nothing matched.', failCode);
    if (failOnMatch === true && !isEmpty) {
      const single = isAggregate && this.#single?.join(' is ');
      const what = single || `${countText(this.#rows, isAggregate ? 'row' : 'event')} matched`;
      throw new CommandFailure(`--fail-on-match: ${what}.`, failCode);
    }
  }

  /** Whether it is worth explaining where the events went. In a pipe, the exit status reports on a condition. */
  needsHelp(isAggregate: boolean, isForPeople: boolean, hasEmptyGroup: boolean): boolean {
    const { failOnEmpty, failOnMatch, quiet } = this.#flags;
    if (quiet === true || (!isForPeople && (failOnEmpty ?? failOnMatch) !== undefined)) return false;
    return this.#isEmpty(isAggregate) || this.#loses || hasEmptyGroup;
  }

  /** Whether the only row has no value in its first column, as if no event has the field by which the query groups. */
  hasEmptyGroup([key]: readonly string[] = []): boolean {
    return this.#rows === 1 && key !== undefined && (this.#first?.[key] ?? '') === '';
  }

  #isEmpty(isAggregate: boolean): boolean {
    return this.#rows === 0 || (isAggregate && this.#single?.[1] === '0');
  }

  /** The name and the value of a result such as that of `count()`, which always returns one row. */
  get #single(): readonly [name: string, value: string] | undefined {
    const [name, ...others] = Object.keys(this.#first ?? {});
    if (this.#rows !== 1 || name === undefined || others.length > 0) return undefined;
    return [name, cellText(this.#first!, name)];
  }
}
