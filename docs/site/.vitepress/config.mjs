import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { REPOSITORY } from '../../../scripts/package-metadata.mjs';
import { writeLlmsFiles } from '../llms.mjs';
import { nav, sidebar } from './sidebar.mjs';

const GRAMMAR = new URL('../../../editors/vscode/syntaxes/lql.tmLanguage.json', import.meta.url);
const lql = JSON.parse(readFileSync(GRAMMAR, 'utf8'));

const PAGES = /^(index|docs\/[\w-]+)\.md$/;

export default {
  title: 'logclient',
  description: 'Client, pino and winston transports, and a local server for Falcon LogScale',
  // GitHub Pages serves a repository below its name.
  base: '/logclient/',
  srcDir: '../..',
  srcExclude: ['!(README).md', '!(docs)/**/*', 'docs/site/**/*'],
  outDir: './dist',
  buildEnd: ({ outDir }) => writeLlmsFiles(outDir),
  rewrites: { 'README.md': 'index.md', 'docs/README.md': 'docs/index.md' },
  cleanUrls: true,
  // The reference of the command line shows the address of the local server.
  ignoreDeadLinks: 'localhostLinks',
  vite: { plugins: [{ name: 'vue-for-pages', enforce: 'pre', resolveId: resolveVue }] },
  markdown: {
    // Braces in the text are query language, not attributes.
    attrs: { disable: true },
    anchor: { slugify: githubSlug },
    languages: [{ ...lql, name: 'lql', aliases: ['cql', 'logscale'] }],
    languageAlias: { cjs: 'js' },
    config: (md) => {
      md.core.ruler.push('repository-links', linkToRepository);
      // Vue evaluates what is between double braces, except in blocks of code.
      for (const rule of ['text', 'code_inline']) {
        const render = md.renderer.rules[rule];
        md.renderer.rules[rule] = (...args) => render(...args).replaceAll('{{', '&#123;&#123;');
      }
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    nav,
    sidebar,
    outline: [2, 3],
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
    editLink: { pattern: `${REPOSITORY}/edit/main/:path` },
  },
};

/** The anchor of a heading on GitHub, so that links work there and on the site. */
function githubSlug(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

/** Points relative links to files that are not pages, such as examples, to the repository. */
function linkToRepository({ tokens, env }) {
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    const href = token.attrGet('href');
    if (token.type !== 'link_open' || /^(#|\w+:)/.test(href)) continue;
    const file = posix.join(posix.dirname(env.relativePath), href);
    if (!PAGES.test(file.split('#')[0])) token.attrSet('href', `${REPOSITORY}/blob/main/${file}`);
    else token.attrSet('href', href.replace('README.md', 'index.md'));
  }
}

/** Finds Vue in this folder: pages import it once they are compiled, and are outside of it. */
function resolveVue(id, _importer, options) {
  if (!/^vue(\/|$)/.test(id)) return undefined;
  if (options.ssr) return { id, external: true };
  return this.resolve(id, import.meta.filename, { ...options, skipSelf: true });
}
