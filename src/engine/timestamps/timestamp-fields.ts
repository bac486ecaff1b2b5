import { type Fields, readField, writeField } from '../event.ts';
import { markError } from '../formats/parse-error.ts';
import { fieldName, flag, timeZone } from '../signature/argument-types.ts';
import { type ArgumentsOf, optional, withDefault } from '../signature/function-spec.ts';
import { isMoment } from '../time/epoch.ts';
import { findWrittenZone, type Instant, type WrittenZone } from '../time/written-time.ts';

/** Parameters of all functions that parse timestamps. */
export const timestampParameters = {
  as: withDefault(fieldName, '@timestamp'),
  timezone: optional(timeZone),
  timezoneAs: withDefault(fieldName, '@timezone'),
  timezoneField: optional(fieldName),
  addErrors: withDefault(flag, true),
};

type TimestampOptions = ArgumentsOf<typeof timestampParameters>;

/** The time zone in the arguments of a call, which overrides that in the text. */
export function givenZone(row: Fields, options: TimestampOptions): WrittenZone | undefined {
  const { timezone, timezoneField } = options;
  if (timezone !== undefined) return { name: timezone.name, zone: timezone };
  const name = timezoneField === undefined ? undefined : readField(row, timezoneField);
  return name === undefined ? undefined : findWrittenZone(name);
}

/** Writes a time; marks the event with an error if it is `undefined`. */
export function writeTimestamp(
  row: Fields,
  instant: Instant | undefined,
  options: TimestampOptions,
  problem: string,
): void {
  if (instant === undefined || !isMoment(instant.epochMs)) {
    if (options.addErrors) markError(row, problem);
    return;
  }
  const { as, timezoneAs } = options;
  writeField(row, as, String(instant.epochMs));
  // Most timestamps have no nanoseconds, so the field is only updated.
  const nanos = `${as}.nanos`;
  if (instant.nanos !== 0 || readField(row, nanos) !== undefined)
    writeField(row, nanos, String(instant.nanos));
  writeField(row, timezoneAs, instant.zone.name);
}
