import { type Fields, readField, writeField } from '../event.ts';
import { rowStep } from '../operators/row-code.ts';
import { CONFIDENCES, INDICATOR_TYPES, type Indicator, type ReferenceData } from '../reference-data.ts';
import type { RunScope } from '../run/run-context.ts';
import { type ArgumentType, fieldNames, flag, text, textType } from '../signature/argument-types.ts';
import { referenceLookup } from '../signature/call-site.ts';
import { define, optional, required, withDefault } from '../signature/function-spec.ts';

/** Marks events in which a field is an indicator of compromise, and adds details about it. */
export const iocLookup = define.transform({
  name: 'ioc:lookup',
  partial: ["Results come from the server's indicator file. Without this file, there are no results."],
  uncertain: [
    'Domains are compared case-insensitively; addresses and URLs are compared as strings.',
    '`include` lists the members to add; `ioc.detected` is always added.',
  ],
  parameters: {
    field: required(fieldNames, { unnamed: true }),
    type: required(word(INDICATOR_TYPES)),
    confidenceThreshold: withDefault(word(CONFIDENCES), 'high'),
    include: optional(fieldNames),
    prefix: withDefault(text, 'ioc'),
    strict: withDefault(flag, false),
  },
  compile({ field: names, type, confidenceThreshold, include, prefix, strict }, call) {
    const lookup = referenceLookup(call, 'ioc:lookup', 'indicators');
    const threshold = CONFIDENCES.indexOf(confidenceThreshold);
    const find = (row: Fields, run: RunScope) =>
      findIndicators(row, { names, type, find: () => lookup(run) }).filter(
        ({ confidence }) => CONFIDENCES.indexOf(confidence) >= threshold,
      );
    return rowStep((run, emit) => (row) => {
      const indicators = find(row, run);
      if (indicators.length > 0) writeIndicators(row, { indicators, prefix, include });
      if (indicators.length > 0 || !strict) emit(row);
    });
  },
});

/** One of several words, ignoring case. */
function word<const T extends string>(words: readonly T[]): ArgumentType<T> {
  return textType(`one of ${words.join(', ')}`, (written) =>
    words.find((each) => each === written.toLowerCase()),
  );
}

interface Search {
  readonly names: readonly string[];
  readonly type: Indicator['type'];
  readonly find: () => ReferenceData['indicators'];
}

function findIndicators(row: Fields, { names, type, find }: Search): readonly Indicator[] {
  return names.flatMap((name) => {
    const value = readField(row, name);
    return value === undefined ? [] : find()(type, value);
  });
}

interface Output {
  readonly indicators: readonly Indicator[];
  readonly prefix: string;
  readonly include: readonly string[] | undefined;
}

function writeIndicators(row: Fields, { indicators, prefix, include }: Output): void {
  writeField(row, `${prefix}.detected`, 'true');
  for (const [index, { indicator, type, confidence, details }] of indicators.entries()) {
    const members = { indicator, type, malicious_confidence: confidence, ...details };
    for (const [member, value] of Object.entries(members)) {
      if (include === undefined || include.includes(member)) {
        writeField(row, `${prefix}[${index}].${member}`, value);
      }
    }
  }
}
