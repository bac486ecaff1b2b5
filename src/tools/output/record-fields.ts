import { errorLines, recordError } from '../../core/records/record-error.ts';
import { LEVEL_FIELDS, MESSAGE_FIELDS, SERVICE_FIELDS } from '../../core/records/record-fields.ts';
import { cellText, type Row } from './row-format.ts';

const SOURCE_FIELDS = [...SERVICE_FIELDS.filter((name) => !name.startsWith('@')), '#host', 'logger'];
/** An event without a message is shown with all its fields. */
const SHOWN_MESSAGES = MESSAGE_FIELDS.filter((name) => !name.startsWith('@') && name !== 'event');
/** winston adds these to uncaught exceptions: some thirty fields about the process. */
const DIAGNOSTICS = /^(process|os)\.|^trace\[\d+\]/;

/** The common fields of an event; `undefined` for missing ones. */
export interface RecordFields {
  /** As logged, so that a filter on it finds the event. */
  readonly level: string | undefined;
  readonly source: string | undefined;
  /** First line of the message. */
  readonly message: string | undefined;
  /** The other lines of the message, without the stack. */
  readonly details: string;
  /** The lines of the error. */
  readonly error: readonly string[];
  /** Names of all other fields, without those of the error, diagnostics of the process and other stacks. */
  readonly others: readonly string[];
  /** Names of the fields of the error, and of diagnostic fields. */
  readonly folded: readonly string[];
}

export function recordFields(row: Row): RecordFields {
  const error = recordError(row);
  const stack = error?.stack || undefined;
  // Lines of text with a stack are a message.
  const messages = cellText(row, '@rawstring').trimEnd() === stack ? MESSAGE_FIELDS : SHOWN_MESSAGES;
  const [level, source, message] = [LEVEL_FIELDS, SOURCE_FIELDS, messages].map((names) =>
    names.find((name) => cellText(row, name) !== ''),
  );
  const text = message === undefined ? undefined : withoutStack(cellText(row, message), stack);
  const shown = new Set([level, source, message]);
  const names = Object.keys(row).filter((name) => !shown.has(name));
  const isFolded = (name: string): boolean => error?.fields.has(name) === true || DIAGNOSTICS.test(name);
  return {
    level: level === undefined ? undefined : cellText(row, level),
    source: source === undefined ? undefined : cellText(row, source),
    message: text?.split('\n', 1)[0]?.trimEnd(),
    details: text?.split('\n').slice(1).join('\n') ?? '',
    error: error === undefined ? [] : errorLines(error),
    others: names.filter((name) => !isFolded(name) && !name.endsWith('.stack')),
    folded: names.filter(isFolded),
  };
}

/** winston repeats the stack of an exception in its message. `console` prints it there only. */
function withoutStack(message: string, stack: string | undefined): string {
  const text = message.trimEnd();
  if (stack === undefined || !text.endsWith(stack)) return text;
  return text === stack ? text.split('\n', 1)[0]! : text.slice(0, -stack.length).trimEnd();
}
