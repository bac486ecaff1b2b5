/** The pages of docs/ by group, with the title in the navigation. */
const GROUPS = {
  Start: {
    'getting-started': 'Getting started',
    auto: 'Capture logs without code changes',
    nextjs: 'Next.js',
    browser: 'Logs from the browser',
    connect: 'Connect to your LogScale',
    'next-gen-siem': 'Next-Gen SIEM',
    production: 'Production checklist',
  },
  Guides: {
    delivery: 'Delivery guarantees',
    platforms: 'Bundlers, tests and platforms',
    'at-scale': 'At scale',
    querying: 'Querying and tailing',
    testing: 'Testing',
    'testing-parsers': 'Testing parsers and queries',
    recipes: 'Recipes',
    opentelemetry: 'OpenTelemetry',
    migrating: 'Moving from other packages',
  },
  'Query language': {
    playground: 'Playground',
    'query-tutorial': 'Query tutorial',
    'other-languages': 'Coming from other languages',
    'query-language': 'Grammar and limits',
    functions: 'Functions',
  },
  Tools: {
    cli: 'Command line',
    'local-server': 'Local server',
    'works-with': 'Works with',
    editors: 'Editors',
    mcp: 'Coding agents',
    maintenance: 'Maintenance',
  },
  Reference: { options: 'Options', troubleshooting: 'Troubleshooting' },
};

const groups = Object.entries(GROUPS).map(([text, pages]) => ({
  text,
  items: Object.entries(pages).map(([page, title]) => ({ text: title, link: `/docs/${page}` })),
}));

// typedoc writes the API reference, so the router of the site has no page for it.
groups.at(-1).items.splice(1, 0, { text: 'API', link: '/api/', target: '_self' });

const play = { text: 'Try it in the browser', link: '/play/', target: '_self' };
groups.find(({ text }) => text === 'Query language').items.unshift(play);

export const sidebar = groups;
