import { functionGroup } from './function-doc.ts';

export const timeDocs = functionGroup(
  'Time',
  `
formatTime: Formats a timestamp as a string. ⇒ level=error | time := formatTime("%F %T", timezone="Europe/Paris") | select([time, msg])
parseTimestamp: Parses a timestamp in a given format. ⇒ parseTimestamp("yyyy-MM-dd HH:mm:ss", field=when, timezone="UTC") | select([when, @timestamp])
findTimestamp: Finds and parses the first timestamp in a string, without needing a format. ⇒ findTimestamp(as=time) | select([@rawstring, time])
formatDuration: Formats a duration as a readable string, such as \`6h30m\`. ⇒ formatDuration(uptime, from=s, precision=2)
duration: Returns a duration, such as \`1h\`, in milliseconds. ⇒ limit := duration(1s) | test(ms > limit) | select([http.path, ms, limit])
now: Returns the time at which the query started, in epoch milliseconds. ⇒ age := (now() - @timestamp) / 1000 | level=error | select([msg, age])
start: Returns the start of the search interval, in epoch milliseconds. ⇒ offset := (@timestamp - start()) / 1000 | level=error | select([msg, offset])
end: Returns the end of the search interval, in epoch milliseconds. ⇒ remaining := (end() - @timestamp) / 1000 | level=error | select([msg, remaining])
setTimeInterval: Sets the search interval from within the query. ⇒ setTimeInterval(start=1h) | level=error | count()
time:year: Returns the year of a timestamp. ⇒ year := time:year() | select([release, year])
time:month: Returns the month of a timestamp, from 1 to 12. ⇒ month := time:month() | select([release, month])
time:monthName: Returns the month name of a timestamp. ⇒ month := time:monthName() | select([release, month])
time:weekOfYear: Returns the ISO week of a timestamp, from 1 to 53. ⇒ week := time:weekOfYear() | select([release, week])
time:dayOfYear: Returns the day of the year of a timestamp, from 1 to 366. ⇒ day := time:dayOfYear() | select([release, day])
time:dayOfMonth: Returns the day of the month of a timestamp, from 1 to 31. ⇒ day := time:dayOfMonth() | select([release, day])
time:dayOfWeek: Returns the day of the week of a timestamp, from 1 (Monday) to 7 (Sunday). ⇒ day := time:dayOfWeek() | select([release, day])
time:dayOfWeekName: Returns the weekday name of a timestamp. ⇒ day := time:dayOfWeekName() | select([release, day])
time:hour: Returns the hour of a timestamp, from 0 to 23. ⇒ hour := time:hour(timezone="America/New_York") | select([release, hour])
time:minute: Returns the minute of a timestamp, from 0 to 59. ⇒ minute := time:minute() | select([release, minute])
time:second: Returns the second of a timestamp, from 0 to 59. ⇒ second := time:second() | select([release, second])
time:millisecond: Returns the millisecond of a timestamp, from 0 to 999. ⇒ millisecond := time:millisecond() | select([release, millisecond])
`,
);
