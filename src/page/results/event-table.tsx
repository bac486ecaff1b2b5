import type { JSX } from 'preact';
import { Highlighted } from '../records/highlight.tsx';
import { toneOf } from '../records/log-record.ts';
import { Message, type RecordRowProps, RecordTime, rowAttributes } from '../records/record-row.tsx';
import { firstLine, lineText } from '../records/visible-text.ts';
import { toggleColumn } from '../search/change-search.ts';
import { Button } from '../widgets/button.tsx';
import { CloseButton } from '../widgets/close-button.tsx';
import { dragSideways } from '../widgets/drag-sideways.ts';
import { memo } from '../widgets/memo.ts';
import { ColumnHeading, moveColumn, placeOfDragged, widthOf } from './columns.tsx';

export function EventTableHeader({ columns }: { columns: readonly string[] }): JSX.Element {
  return (
    <div class="row table-head dim small" role="row">
      <span class="time fixed" role="columnheader">
        Time
      </span>
      <span class="level small fixed" role="columnheader">
        Level
      </span>
      {columns.map((name) => (
        <ColumnHeading key={name} name={name}>
          <Button
            class="column-name"
            title="Drag, or press ← and →, to move the column; with Shift to change its width"
            onPointerDown={(event) =>
              dragSideways(event, (distance, heading) => moveColumn(name, placeOfDragged(heading, distance)))
            }
          >
            <bdi>{lineText(name, 40)}</bdi>
          </Button>
          <CloseButton label={`Remove column ${name}`} onClick={() => toggleColumn(name)} />
        </ColumnHeading>
      ))}
      <span class="message" role="columnheader">
        Message
      </span>
    </div>
  );
}

/** One record as a row of the chosen columns. */
export const EventTableRow = memo(function EventTableRow(
  props: RecordRowProps & { readonly columns: readonly string[]; readonly widths: readonly string[] },
): JSX.Element {
  const { record, columns, widths, timeZone, patternOf, isOpen, request } = props;
  return (
    <div {...rowAttributes(props)} role="row">
      <span role="cell">
        <RecordTime record={record} timeZone={timeZone} start={request?.start} />
      </span>
      <span class="level small fixed" role="cell">
        {lineText(record.level, 12) || '–'}
      </span>
      {columns.map((name) => {
        const value = String(record.row[name] ?? '');
        return (
          <span
            class="cell"
            role="cell"
            key={name}
            style={widthOf(name, widths)}
            data-tone={toneOf(name, value)}
          >
            <Highlighted text={firstLine(value)} pattern={patternOf(name)} />
          </span>
        );
      })}
      <span role="cell" class="message-cell">
        <Button class="message" aria-expanded={isOpen}>
          <Message record={record} patternOf={patternOf} />
        </Button>
      </span>
    </div>
  );
});
