/** @type {readonly { name: string, question: string, output: RegExp, answer: string, wrong: readonly string[] }[]} */
export const COMMAND_TASKS = [
  {
    name: 'query-a-file',
    question: 'Print the number of records with the level error in the file app.log, and nothing else.',
    output: /^3\n$/,
    answer: "logclient query app.log 'level=error | count()' -o raw",
    wrong: [
      "logclient query app.log 'level=error'",
      "logclient query 'level=error | count()' -o raw app.log --stdin < /dev/null",
    ],
  },
  {
    name: 'pipe-to-csv',
    question: 'Write the columns service and _count of all records of app.log, read from a pipe, as CSV.',
    output: /^service,_count\n(?=[\s\S]*^cart,5$)(?=[\s\S]*^stock,2$)/m,
    answer: "cat app.log | logclient query --stdin 'groupBy(service)' -o csv",
    wrong: [
      "cat app.log | logclient query 'groupBy(service)' -o csv",
      "cat app.log | logclient query --stdin 'groupBy(service)' -o json",
    ],
  },
  {
    name: 'lint',
    question: 'Print "invalid" if the query in bad.lql has a problem, without a server.',
    output: /invalid\n$/,
    answer: 'logclient lint bad.lql > report.txt || echo invalid',
    wrong: ['logclient lint bad.lql && echo invalid', 'logclient format bad.lql && echo valid'],
  },
  {
    name: 'ship-and-find',
    question:
      'Ship app.log to the service that the environment names, with the tag source=file, and print how many records with this tag it has, and nothing else.',
    output: /^16\n$/,
    answer:
      "logclient ingest --quiet --tag source=file app.log && logclient query '#source=file | count()' --from 2026-01-01 --to 2026-12-31 -o raw",
    wrong: [
      "logclient ingest --quiet app.log && logclient query '#source=file | count()' --from 2026-01-01 --to 2026-12-31 -o raw",
    ],
  },
  {
    name: 'no-code-changes',
    question:
      'Run the program app.mjs, which prints "disk is full" with console.error, so that its output is shipped, without changing it. Then print how many records with that text the service has, and nothing else on stdout.',
    output: /^1\n$/,
    answer: `node --import logclient/auto app.mjs && logclient query '"disk is full" | count()' -o raw`,
    wrong: [
      `node app.mjs && logclient query '"disk is full" | count()' -o raw`,
      `node --import logclient app.mjs && logclient query '"disk is full" | count()' -o raw`,
    ],
  },
];
