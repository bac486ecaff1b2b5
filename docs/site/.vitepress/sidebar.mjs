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

const itemsOf = (name) => groups.find(({ text }) => text === name).items;

// typedoc writes the API reference, so the router of the site has no page for it.
itemsOf('Reference').push({ text: 'API', link: '/api/', target: '_self' });
itemsOf('Start').push({ text: 'Try it in the browser', link: '/play/', target: '_self' });
itemsOf('Start').unshift({ text: 'All pages', link: '/docs/' });

export const sidebar = groups;
