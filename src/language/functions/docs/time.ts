import type { FunctionDoc, FunctionGroup } from './function-doc.ts';

export const timeDocs: FunctionGroup = {
  title: 'Time',
  functions: {
    formatTime: {
      sentence: 'Formats a timestamp as a string.',
      example: 'level=error | time := formatTime("%F %T", timezone="Europe/Paris") | select([time, msg])',
    },
    parseTimestamp: {
      sentence: 'Parses a timestamp in a given format.',
      example:
        'parseTimestamp("yyyy-MM-dd HH:mm:ss", field=when, timezone="UTC") | select([when, @timestamp])',
    },
    findTimestamp: {
      sentence: 'Finds and parses the first timestamp in a string, without needing a format.',
      example: 'findTimestamp(as=time) | select([@rawstring, time])',
    },
    formatDuration: {
      sentence: 'Formats a duration as a readable string, such as `6h30m`.',
      example: 'formatDuration(uptime, from=s, precision=2)',
    },
    duration: {
      sentence: 'Returns a duration, such as `1h`, in milliseconds.',
      example: 'limit := duration(1s) | test(ms > limit) | select([http.path, ms, limit])',
    },
    now: {
      sentence: 'Returns the time at which the query started, in epoch milliseconds.',
      example: 'age := (now() - @timestamp) / 1000 | level=error | select([msg, age])',
    },
    start: {
      sentence: 'Returns the start of the search interval, in epoch milliseconds.',
      example: 'offset := (@timestamp - start()) / 1000 | level=error | select([msg, offset])',
    },
    end: {
      sentence: 'Returns the end of the search interval, in epoch milliseconds.',
      example: 'remaining := (end() - @timestamp) / 1000 | level=error | select([msg, remaining])',
    },
    setTimeInterval: {
      sentence: 'Sets the search interval from within the query.',
      example: 'setTimeInterval(start=1h) | level=error | count()',
    },
    'time:year': onRelease('Returns the year of a timestamp.', 'year := time:year()'),
    'time:month': onRelease('Returns the month of a timestamp, from 1 to 12.', 'month := time:month()'),
    'time:monthName': onRelease('Returns the month name of a timestamp.', 'month := time:monthName()'),
    'time:weekOfYear': onRelease(
      'Returns the ISO week of a timestamp, from 1 to 53.',
      'week := time:weekOfYear()',
    ),
    'time:dayOfYear': onRelease(
      'Returns the day of the year of a timestamp, from 1 to 366.',
      'day := time:dayOfYear()',
    ),
    'time:dayOfMonth': onRelease(
      'Returns the day of the month of a timestamp, from 1 to 31.',
      'day := time:dayOfMonth()',
    ),
    'time:dayOfWeek': onRelease(
      'Returns the day of the week of a timestamp, from 1 (Monday) to 7 (Sunday).',
      'day := time:dayOfWeek()',
    ),
    'time:dayOfWeekName': onRelease(
      'Returns the weekday name of a timestamp.',
      'day := time:dayOfWeekName()',
    ),
    'time:hour': onRelease(
      'Returns the hour of a timestamp, from 0 to 23.',
      'hour := time:hour(timezone="America/New_York")',
    ),
    'time:minute': onRelease('Returns the minute of a timestamp, from 0 to 59.', 'minute := time:minute()'),
    'time:second': onRelease('Returns the second of a timestamp, from 0 to 59.', 'second := time:second()'),
    'time:millisecond': onRelease(
      'Returns the millisecond of a timestamp, from 0 to 999.',
      'millisecond := time:millisecond()',
    ),
  },
};

/** An example on two releases, on a Monday in March and a Friday in August. */
function onRelease(sentence: string, step: string): FunctionDoc {
  const field = step.slice(0, step.indexOf(' '));
  return {
    sentence,
    example: `${step} | select([release, ${field}])`,
  };
}
