import { patternOf } from '../../internal/records/message-pattern.ts';
import type { LogRecord } from './log-record.ts';

/** Records whose messages differ only in numbers, IDs and quoted text. */
export interface Pattern {
  readonly key: string;
  readonly count: number;
  readonly newest: LogRecord;
}

/** Groups similar records, most frequent first. */
export function groupSimilar(records: readonly LogRecord[]): readonly Pattern[] {
  const groups = new Map<string, { key: string; count: number; newest: LogRecord }>();
  for (const record of records) {
    const key = `${record.level} ${record.service} ${patternOf(record.message)}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { key, count: 1, newest: record });
    else {
      group.count += 1;
      if (record.time >= group.newest.time) group.newest = record;
    }
  }
  return [...groups.values()].sort((left, right) => right.count - left.count);
}
