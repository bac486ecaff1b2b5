import { ESSENTIAL, GROUPS } from '../pages.mjs';

const groups = Object.entries(GROUPS).map(([text, pages]) => ({
  text,
  items: Object.entries(pages).map(([page, [title]]) => ({
    text: ESSENTIAL.includes(page) ? `<b>${title}</b>` : title,
    // The links to the next and the previous page have no markup.
    docFooterText: title,
    link: `/docs/${page}`,
  })),
}));

groups[0].items.unshift({ text: 'All pages', link: '/docs/' });

export const sidebar = groups;

/** Other programs write these folders, so the router of the site has no pages for them. */
export const nav = [
  { text: 'Docs', link: '/docs/' },
  { text: 'API', link: '/api/', target: '_self' },
  { text: 'Try it in the browser', link: '/play/', target: '_self' },
];
