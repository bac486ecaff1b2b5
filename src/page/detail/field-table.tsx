import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { CutText } from '../records/cut-text.tsx';
import type { LogRecord } from '../records/log-record.ts';
import { blockText, lineText } from '../records/visible-text.ts';
import { addFilter, groupBy, toggleColumn } from '../search/change-search.ts';
import { isEqual } from '../search/query-text.ts';
import { search } from '../state/page-state.ts';
import { Button } from '../widgets/button.tsx';

const FIELDS_AT_ONCE = 100;

/** The fields of an event, with their names in queries. Fields that the service adds are last. */
export function FieldTable({ record: { row } }: { record: LogRecord }): JSX.Element {
  const [limit, setLimit] = useState(FIELDS_AT_ONCE);
  const names = Object.keys(row).sort((left, right) => rank(left) - rank(right) || (left < right ? -1 : 1));
  return (
    <>
      <table class="field-table">
        <tbody>
          {names.slice(0, limit).map((name) => (
            <tr key={name}>
              <th scope="row">
                <bdi>{lineText(name, 100)}</bdi>
              </th>
              <td>
                <CutText text={String(row[name])} length={1000}>
                  {(length) => <bdi>{blockText(String(row[name]), length)}</bdi>}
                </CutText>
              </td>
              <td>
                <FieldActions name={name} value={String(row[name])} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {names.length > limit && (
        <Button class="link" onClick={() => setLimit(limit + 10 * FIELDS_AT_ONCE)}>
          {names.length - limit} more fields
        </Button>
      )}
    </>
  );
}

function rank(name: string): number {
  return name.startsWith('@') ? 2 : name.startsWith('#') ? 1 : 0;
}

/** Actions for a value of a field. */
function FieldActions({ name, value }: { name: string; value: string }): JSX.Element {
  const isColumn = search.value.columns.includes(name);
  const actions: readonly (readonly [sign: string, title: string, action: () => void, isOn?: boolean])[] = [
    ['=', 'Only records with this value', () => addFilter(isEqual(name, value))],
    ['≠', 'Without this value', () => addFilter(isEqual(name, value, '!='))],
    ['▥', 'Show as a column', () => toggleColumn(name), isColumn],
    ['Σ', 'Group by this field', () => groupBy(name)],
  ];
  return (
    <span class="field-actions">
      {actions.map(([sign, title, action, isOn]) => (
        <Button key={sign} class="dim" title={title} aria-label={title} aria-pressed={isOn} onClick={action}>
          {sign}
        </Button>
      ))}
    </span>
  );
}
