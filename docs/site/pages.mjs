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
      'pino, winston, LogLayer and `console`; TypeScript and CommonJS; record fields; which transport to choose',
    ],
    auto: [
      'Capture logs without code changes',
      '`node --import logclient/auto app.js`: pino, winston, `console` and crashes',
    ],
    'local-server': [
      'Local server',
      'LogScale on your machine: `dev` and `serve`, the web page, storage, fault injection, Docker, CI',
    ],
    playground: ['Playground', 'sample logs and your own, in the browser'],
    migrating: ['Moving from other packages', '`humio`, `pino-humio-transport`, `humiolib` for Python'],
  },
  Ship: {
    connect: ['Connect to LogScale', 'address, tokens, setup check, common mistakes, glossary'],
    'next-gen-siem': ['Next-Gen SIEM', 'CrowdStrike Next-Gen SIEM: HEC connector, API client, what works'],
    hec: ['Splunk, Cribl and other HEC receivers', "`format: 'hec'`: addresses, tokens, fields, responses"],
    recipes: [
      'Recipes',
      'Fastify, NestJS, Express, AWS Lambda, OpenTelemetry, redaction, environments, Prometheus, pino-pretty',
    ],
    nextjs: ['Next.js', '`logclient/next`: requests, errors, `after`, pino and winston'],
    browser: [
      'Logs from the browser',
      '`logclient/browser` and `logclient/ingest-handler`: logs and errors from web pages, sent through your own server',
    ],
    platforms: [
      'Bundlers, tests and platforms',
      'what works with esbuild, webpack, Vite, Next.js, Jest, vitest and more, and what to add',
    ],
    opentelemetry: ['OpenTelemetry', 'trace IDs in records, OTLP exporters, the OpenTelemetry Collector'],
    'works-with': [
      'Works with',
      'tested configurations for rsyslog, syslog-ng, collectd, logrotate, Elasticsearch and Splunk clients, and 15 loggers',
    ],
  },
  Query: {
    'query-tutorial': ['Query tutorial', 'the query language in 23 queries'],
    querying: [
      'Querying and tailing from code',
      '`query`, `streamingQuery`, `createQueryJob`, `tail`, `watch`, `waitFor`, `lql`',
    ],
    cli: [
      'Command line',
      'query, tail and ship from a terminal, scripts and CI: output, settings, exit codes',
    ],
    'other-languages': [
      'Coming from other languages',
      'SQL, Splunk, KQL, Lucene, LogQL and jq, side by side',
    ],
    editors: ['Editors', '`logclient language-server`: setup for VS Code, Neovim and Zed'],
    mcp: [
      'Coding agents',
      '`logclient mcp` and `logclient skill`: setup for Claude Code, Codex, Cursor, VS Code and Zed; tools',
    ],
  },
  Test: {
    testing: ['Testing', 'matchers for vitest, Jest and `node:test`; HTTP mocks; snapshots; secrets'],
    'testing-parsers': [
      'Testing parsers and queries',
      'test cases for parsers and query files, run in CI without a server',
    ],
  },
  Operate: {
    production: ['Production checklist', 'signals, levels, redaction, spool, proxy, metrics, cost'],
    delivery: ['Delivery guarantees', 'what can be lost, retries, exit, serverless, the spool, all limits'],
    'at-scale': ['At scale', 'large fleets: rate limits, outages, queue sizes'],
    maintenance: ['Maintenance', 'repositories, tokens, parsers, users, lookup files'],
  },
  Reference: {
    troubleshooting: ['Troubleshooting', 'every message, with its cause and fix'],
    options: ['Options', 'every option with its type and default'],
    commands: ['Commands', 'every command of the CLI with its flags and examples'],
    'local-server-api': [
      'API of the local server',
      'endpoints, GraphQL, humioctl and Grafana, differences from the service, limits',
    ],
    'query-language': ['Query language', 'grammar, limits, differences from the service'],
    functions: ['Functions', 'every function of the query language, with an example'],
  },
};

/** The table of a group, with links from the folder that `base` leads to docs/ from. */
function groupTable([group, pages], base) {
  const rows = Object.entries(pages).map(([page, [title, contents]]) => {
    const link = `[${title}](${base}${page}.md)`;
    return `| ${ESSENTIAL.includes(page) ? `**${link}**` : link} | ${contents} |`;
  });
  return [`| ${group} | |`, '|---|---|', ...rows].join('\n');
}

/** The tables of all groups as Markdown. The six essential pages are bold. */
export const pageTables = (base) =>
  Object.entries(GROUPS)
    .map((entry) => groupTable(entry, base))
    .join('\n\n');
