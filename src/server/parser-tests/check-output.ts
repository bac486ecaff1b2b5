import type {
  ArrayWithGap,
  ParserAssertionFailure,
  ParserOutputAssertions,
  ParserOutputFailures,
} from '../../core/wire/parsers.ts';

type Event = Readonly<Record<string, string>>;
type Failures = ParserOutputFailures['failures'];

/** What is wrong with the events that a parser created from a line. Empty if nothing is. */
export function checkOutput(
  events: readonly Event[],
  assertions: readonly ParserOutputAssertions[],
  tags: ReadonlySet<string>,
): readonly ParserOutputFailures[] {
  const asserted = assertions.map(({ outputEventIndex }) => outputEventIndex);
  const indexes = [...new Set([...events.keys(), ...asserted])].sort((a, b) => a - b);
  return indexes
    .map((outputEventIndex) => {
      const own = assertions.filter((each) => each.outputEventIndex === outputEventIndex);
      return { outputEventIndex, failures: failuresOf(events[outputEventIndex], own, tags) };
    })
    .filter(({ failures }) => Object.values(failures).some((list) => list.length > 0));
}

function failuresOf(
  event: Event | undefined,
  assertions: readonly ParserOutputAssertions[],
  tags: ReadonlySet<string>,
): Failures {
  const names = Object.keys(event ?? {});
  return {
    parsingErrors: event?.['@error'] === 'true' ? [event['@error_msg'] ?? 'The parser failed.'] : [],
    assertionFailuresOnFields: fieldFailures(event, assertions),
    falselyTaggedFields: names.filter((name) => name.startsWith('#') && !tags.has(name)),
    arraysWithGaps: arraysWithGaps(names),
  };
}

function fieldFailures(
  event: Event | undefined,
  assertions: readonly ParserOutputAssertions[],
): readonly ParserAssertionFailure[] {
  const values = assertions.flatMap((each) => each.assertions.fieldsHaveValues);
  const absent = assertions.flatMap((each) => each.assertions.fieldsNotPresent);
  const named = [...values.map(({ fieldName }) => fieldName), ...absent];
  return [...new Set(named)].flatMap((fieldName): readonly ParserAssertionFailure[] => {
    if (event === undefined) return [{ __typename: 'AssertionOnFieldWasOrphaned', fieldName }];
    if (named.indexOf(fieldName) !== named.lastIndexOf(fieldName)) {
      return [{ __typename: 'FieldHadConflictingAssertions', fieldName }];
    }
    const actualValue = Object.hasOwn(event, fieldName) ? event[fieldName]! : null;
    const expected = values.find((each) => each.fieldName === fieldName);
    if (expected === undefined) {
      return actualValue === null ? [] : [{ __typename: 'FieldUnexpectedlyPresent', fieldName, actualValue }];
    }
    const { expectedValue } = expected;
    if (actualValue === expectedValue) return [];
    return [{ __typename: 'FieldHadUnexpectedValue', fieldName, expectedValue, actualValue }];
  });
}

/** Arrays that end early for array functions, because an element is missing. */
function arraysWithGaps(names: readonly string[]): readonly ArrayWithGap[] {
  const elements = new Map<string, Set<number>>();
  for (const name of names) {
    for (const { 1: digits, index } of name.matchAll(/\[(\d+)\]/g)) {
      const prefix = name.slice(0, index);
      elements.set(prefix, (elements.get(prefix) ?? new Set()).add(Number(digits)));
    }
  }
  return [...elements]
    .map(([lastValidPrefix, indexes]) => ({ lastValidPrefix, gaps: gapsBetween(indexes) }))
    .filter(({ gaps }) => gaps.length > 0);
}

function gapsBetween(indexes: ReadonlySet<number>): ArrayWithGap['gaps'] {
  const sorted = [...indexes].sort((a, b) => a - b);
  return sorted.flatMap((endsAtIndex, place) => {
    const startsAtIndex = place === 0 ? 0 : sorted[place - 1]! + 1;
    return startsAtIndex === endsAtIndex ? [] : [{ startsAtIndex, endsAtIndex }];
  });
}
