import {
  LEVEL_FIELDS,
  MESSAGE_FIELDS,
  SERVICE_FIELDS,
  STACK_FIELDS,
} from '../../core/records/record-fields.ts';
import { levelName } from '../../core/records/severity.ts';
import { cellText, type Row } from './row-format.ts';

const SOURCE_FIELDS = [...SERVICE_FIELDS.filter((name) => !name.startsWith('@')), '#host', 'logger'];
/** An event without a message is shown with all its fields. */
const SHOWN_MESSAGES = MESSAGE_FIELDS.filter((name) => !name.startsWith('@') && name !== 'event');
/** winston adds these to uncaught exceptions: some thirty fields about the process. */
const DIAGNOSTICS = /^(process|os)\.|^trace\[\d+\]/;

/** The common fields of an event; `undefined` for missing ones. */
export interface RecordFields {
  readonly level: string | undefined;
  readonly source: string | undefined;
  /** First line of the message. */
  readonly message: string | undefined;
  /** The other lines of the message, without the stack. */
  readonly details: string;
  readonly stack: string | undefined;
  /** Names of all other fields, without diagnostics of the process and repetitions of the stack. */
  readonly others: readonly string[];
  /** Names of diagnostic fields. */
  readonly folded: readonly string[];
}

export function recordFields(row: Row): RecordFields {
  const [level, source, message, stack] = [LEVEL_FIELDS, SOURCE_FIELDS, SHOWN_MESSAGES, STACK_FIELDS].map(
    (names) => names.find((name) => cellText(row, name) !== ''),
  );
  const stackText = stack === undefined ? undefined : cellText(row, stack).trimEnd();
  const text = message === undefined ? undefined : withoutStack(cellText(row, message), stackText);
  const shown = new Set([level, source, message, stack]);
  const names = Object.keys(row).filter((name) => !shown.has(name) && !STACK_FIELDS.includes(name));
  const isFolded = (name: string): boolean => DIAGNOSTICS.test(name) || cellText(row, name) === stackText;
  return {
    level: level === undefined ? undefined : levelName(cellText(row, level)),
    source: source === undefined ? undefined : cellText(row, source),
    message: text?.split('\n', 1)[0]?.trimEnd(),
    details: text?.split('\n').slice(1).join('\n') ?? '',
    stack: stackText,
    others: names.filter((name) => !isFolded(name) && !name.endsWith('.stack')),
    folded: names.filter((name) => DIAGNOSTICS.test(name)),
  };
}

/** winston repeats the stack of an exception in its message. */
function withoutStack(message: string, stack: string | undefined): string {
  const text = message.trimEnd();
  return stack !== undefined && stack !== text && text.endsWith(stack)
    ? text.slice(0, -stack.length).trimEnd()
    : text;
}
