/** The six pages that suffice for most people, one per group. */
export const ESSENTIAL = [
  'getting-started',
  'connect',
  'query-tutorial',
  'testing',
  'production',
  'troubleshooting',
];

/** The pages of docs/ by group, in reading order: title and contents. */
export const GROUPS = {
  Start: {
    'getting-started': [
      'Getting started',
      'pino, winston, LogLayer and `console`; which transport to choose; record fields',
    ],
    auto: ['Capture logs without code changes', 'with `node --import logclient/auto app.js`'],
    'local-server': ['Local server', 'web page, storage, fault injection, Docker, CI'],
    playground: ['Playground', 'sample logs and your own, in the browser'],
    migrating: ['Moving from other packages', '`humio`, `pino-humio-transport`, `humiolib` for Python'],
    compared: [
      'Compared with other transports',
      'what 10 others lose when something fails, and what they cost',
    ],
    trust: [
      'Tests, versions and support',
      'status, what is tested against what, what is not promised, who maintains it',
    ],
  },
  Ship: {
    connect: ['Connect to LogScale', 'address, tokens, permissions, setup check'],
    'next-gen-siem': ['Next-Gen SIEM', 'HEC connector, API client, what works'],
    hec: ['Splunk, Cribl and other HEC receivers', 'addresses, tokens, fields, responses'],
    fastify: ['Fastify', 'a complete program: requests, errors, request IDs'],
    express: ['Express', 'a complete program with pino-http, another with winston'],
    nestjs: ['NestJS', 'a complete program with nestjs-pino'],
    nextjs: ['Next.js', 'requests, errors, `after`, pino and winston'],
    'aws-lambda': ['AWS Lambda', 'a handler that delivers before the freeze; other serverless platforms'],
    container: ['Send logs from a container', 'Dockerfile, Kubernetes, secrets, grace period, health'],
    recipes: [
      'Recipes',
      'stdout and several destinations, levels, environments, Prometheus, pino-pretty, uncaught exceptions',
    ],
    browser: ['Logs from the browser', 'logs and errors from web pages, sent through your own server'],
    platforms: ['Bundlers, tests and platforms', 'esbuild, webpack, Vite, Next.js, Jest, vitest and more'],
    opentelemetry: ['OpenTelemetry', 'trace IDs in records, OTLP exporters, the OpenTelemetry Collector'],
    'works-with': [
      'Works with',
      'rsyslog, syslog-ng, Fluent Bit, Elasticsearch and Splunk clients, and 15 loggers',
    ],
  },
  Query: {
    'query-tutorial': ['Query tutorial', 'the query language in 23 queries'],
    detections: ['Detections: ten patterns', 'brute force, beaconing, exfiltration and more'],
    querying: [
      'Querying and tailing from code',
      '`query`, `streamingQuery`, `tail`, `watch`, `waitFor`, `lql`',
    ],
    cli: ['Command line', 'see the last errors, query a log file, follow, ship, back up, fail a CI job'],
    'other-languages': [
      'Coming from other languages',
      'port a search of Splunk, SQL, KQL, Lucene, LogQL or jq',
    ],
    editors: ['Editors', '`logclient language-server` in VS Code, Neovim and Zed'],
    mcp: ['Coding agents', '`logclient mcp` and `logclient skill`'],
  },
  Test: {
    testing: ['Testing', 'matchers for vitest, Jest and `node:test`; HTTP mocks; snapshots; secrets'],
    'testing-parsers': [
      'Testing parsers and queries',
      'test cases for parsers and query files, run in CI without a server',
    ],
  },
  Operate: {
    production: ['Production checklist', 'signals, levels, redaction, spool, proxy, metrics'],
    delivery: [
      'Delivery guarantees',
      'what can be lost, outages, memory of the queue, the spool, exit, flush',
    ],
    'at-scale': ['At scale', 'rate limits, outages and queue sizes of large fleets'],
    maintenance: ['Maintenance', 'repositories, tokens, parsers, users, lookup files'],
  },
  Reference: {
    troubleshooting: ['Troubleshooting', 'messages, with cause and fix'],
    redaction: ['Redaction', 'secrets and e-mail addresses: what is found, and what is not'],
    transports: ['Transports', 'what each supports, accepted times, limits, queues'],
    options: ['Options', 'every option with its type and default'],
    commands: [
      'Commands',
      'every command of the CLI with its flags; output, settings, exit codes, formats of lines',
    ],
    'local-server-api': [
      'API of the local server',
      'endpoints, humioctl and Grafana, differences from the service, limits',
    ],
    'query-language': ['Query language', 'grammar, limits, differences from the service'],
    functions: ['Functions', 'every function of the query language, with an example'],
    glossary: ['Glossary', 'repository, view, tag, tokens, parser, LQL, CQL, spool and more'],
  },
};

/** The link to a page, bold if it is essential, from the folder that `base` leads to docs/ from. */
function linkTo([page, [title]], base) {
  const link = `[${title}](${base}${page}.md)`;
  return ESSENTIAL.includes(page) ? `**${link}**` : link;
}

/** The pages of all groups as Markdown, with their contents. */
export const pageLists = (base) =>
  Object.entries(GROUPS)
    .map(([group, pages]) => {
      const items = Object.entries(pages).map((entry) => `- ${linkTo(entry, base)}: ${entry[1][1]}`);
      return `### ${group}\n\n${items.join('\n')}`;
    })
    .join('\n\n');

/** The essential pages, with their contents. */
export const essentialPages = (base) =>
  Object.values(GROUPS)
    .flatMap((pages) => Object.entries(pages))
    .filter(([page]) => ESSENTIAL.includes(page))
    .map(([page, [title, contents]]) => `- [${title}](${base}${page}.md): ${contents}`)
    .join('\n');
