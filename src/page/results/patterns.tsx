import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { templateOf } from '../../core/records/message-pattern.ts';
import type { PatternGroup, PatternGroups } from '../../core/records/pattern-groups.ts';
import { levelName, severityOf } from '../../core/records/severity.ts';
import type { Row } from '../api/rows.ts';
import { compact, count } from '../records/compact.ts';
import { Service } from '../records/record-row.tsx';
import { duration, shortTime } from '../records/times.ts';
import { lineText } from '../records/visible-text.ts';
import { addFilter } from '../search/change-search.ts';
import { comparedInterval } from '../search/compared.ts';
import { byChange, groupSimilar, halvesOf, isSimilar, newSince, trendPath } from '../search/similar.ts';
import { search, update } from '../state/page-state.ts';
import { facts, hasOlder, type Interval, records } from '../state/results.ts';
import { Button } from '../widgets/button.tsx';
import { isoTime } from './csv.ts';
import { useServer, useViewRows } from './load-patterns.ts';

const SHOWN = 200;
/** By default, patterns that started in the last tenth of the interval are new. */
const NEW_SHARE = 0.1;
/** The choice that compares two halves of the interval, such as two days. */
const CHANGES = 'changes';
const RAREST = 'rarest';
const FREQUENT = 'frequent';

/** Similar records, grouped into one line with their number and trend. */
export function Patterns(): JSX.Element {
  const [chosen, setChoice] = useState<string | undefined>(undefined);
  const choice = chosen ?? (comparedInterval.value === undefined ? RAREST : CHANGES);
  const compares = choice === CHANGES;
  const part = compares ? comparedInterval.value : undefined;
  // Without older ones, all records are loaded.
  const loaded = useServer<PatternGroups>('patterns', hasOlder.value, part);
  const own = useMemo(() => ofLoadedRecords(part), [records.value, facts.value, hasOlder.value, part]);
  const groups = typeof loaded === 'object' ? loaded : own;
  const moments = newSince(groups);
  const moment = moments.get(choice);
  const { start, end, other } = groups;
  const matching = useMemo(() => {
    if (compares) return byChange(groups.patterns);
    if (moment !== undefined) return groups.patterns.filter(({ first }) => first >= moment);
    if (choice === FREQUENT) return groups.patterns;
    return groups.patterns.toSorted((left, right) => left.count - right.count);
  }, [groups, moment, choice]);
  useViewRows(() => matching.map((group) => exportedRow(group, compares)));
  const most = matching.reduce((largest, group) => Math.max(largest, group.count), 1);
  const { timeZone } = search.value;
  const isNew = (group: PatternGroup): boolean =>
    compares ? halvesOf(group)[0] === 0 : group.first >= (moment ?? end - NEW_SHARE * (end - start));
  return (
    <div class="scroller" tabIndex={0} role="region" aria-label="Similar records">
      <p class="sample-note dim">
        <select
          aria-label="Which patterns"
          value={moment === undefined && !compares && choice !== FREQUENT ? RAREST : choice}
          onChange={({ currentTarget }) => setChoice(currentTarget.value)}
        >
          <option value={RAREST}>Rarest first</option>
          <option value={FREQUENT}>Most frequent first</option>
          <option value={CHANGES}>Most changed</option>
          {[...moments.keys()].map((name) => (
            <option key={name} value={name}>
              New in {name}
            </option>
          ))}
        </select>{' '}
        {matching.length > SHOWN && `${SHOWN} of `}
        {count(matching.length)} {matching.length === 1 ? 'pattern' : 'patterns'}
        {hasOlder.value && groups === own && ` of the newest ${count(records.value.length)} records`}
        {compares &&
          `. Records in ${duration((end - start) / 2)} before → after ${shortTime((start + end) / 2, timeZone, Date.now()).slice(0, -4)}`}
        {loaded === undefined && '. Counting those of all records…'}
        {other > 0 && `. ${count(other)} records with rarer patterns are not shown`}
        {typeof loaded === 'string' && loaded !== '' && `. ${lineText(loaded)}`}
      </p>
      <ol class="patterns">
        {matching.slice(0, SHOWN).map((group) => (
          <PatternRow
            key={`${group.field} ${group.literals} ${group.ending}`}
            {...{ group, most, compares }}
            isNew={isNew(group)}
          />
        ))}
      </ol>
    </div>
  );
}

/** Patterns of the loaded records: the whole result, its newest records, or those in a part of its interval. */
function ofLoadedRecords(part: Interval | undefined): PatternGroups {
  if (part !== undefined) {
    const inside = records.value.filter(({ time }) => time >= part.start && time < part.end);
    return groupSimilar(inside, part.start, part.end);
  }
  const [oldest, newest] = [records.value[0]?.time ?? 0, records.value.at(-1)?.time ?? 0];
  const { start = oldest, end = newest } = (search.value.start !== 'all' && facts.value) || {};
  return groupSimilar(records.value, hasOlder.value ? oldest : start, Math.max(end, newest));
}

function exportedRow(group: PatternGroup, compares: boolean): Row {
  const [before, after] = halvesOf(group);
  return {
    ...(compares ? { before, after } : { count: group.count }),
    level: levelName(group.level),
    service: group.service,
    message: templateOf(group),
    first: isoTime(group.first) ?? '',
    last: isoTime(group.last) ?? '',
  };
}

interface PatternRowProps {
  readonly group: PatternGroup;
  readonly most: number;
  /** Whether to show the number of records in each half of the interval. */
  readonly compares: boolean;
  readonly isNew: boolean;
}

function PatternRow({ group, most, compares, isNew }: PatternRowProps): JSX.Element {
  const level = levelName(group.level);
  const template = group.field === '' ? '(no message)' : lineText(templateOf(group));
  // Milliseconds would leave less space for the template.
  const time = (moment: number): string =>
    shortTime(moment, search.value.timeZone, Date.now()).replace(/\.\d+$/, '');
  const onlyThis = (): void => {
    addFilter(isSimilar(group));
    update({ view: 'list' }, { replaces: true });
  };
  return (
    <li data-severity={severityOf(group.level)}>
      <span class="count">
        <i style={{ width: `${(100 * group.count) / most}%` }} />
        {compares ? halvesOf(group).map(compact).join(' → ') : count(group.count)}
      </span>
      <span class="level small fixed">{lineText(level, 12) || '–'}</span>
      <Service name={group.service} />
      <span class="message" title={template}>
        {isNew && <b class="accent">new</b>} <bdi>{template}</bdi>
      </span>
      {group.field !== '' && (
        <>
          <Button onClick={onlyThis}>Only this</Button>
          <Button onClick={() => addFilter(`not ${isSimilar(group)}`)}>Without this</Button>
        </>
      )}
      <svg
        class="trend fixed"
        viewBox={`0 0 ${group.trend.length} 16`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path d={trendPath(group.trend)} />
      </svg>
      <span class="dim">
        {time(group.first)} – {time(group.last)}
      </span>
    </li>
  );
}
