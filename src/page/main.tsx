import { effect } from '@preact/signals';
import { render } from 'preact';
import { listSearchDomains } from './api/repositories.ts';
import { App } from './app.tsx';
import { startHistogram } from './histogram/load-histogram.ts';
import { listenForShortcuts } from './keyboard/shortcuts.ts';
import { startRejections } from './rejections/load-rejections.ts';
import { startSearching } from './search/run-search.ts';
import { followAddress, http, repositories, token } from './state/page-state.ts';
import { keepToken } from './state/token.ts';
import './styles/page.css';

/** What a service without GraphQL calls all of its repositories. */
const ALL_REPOSITORIES = [{ name: 'search-all', isView: true }];

effect(() => {
  // A new token may see other repositories.
  const used = token.value;
  listSearchDomains(http).then(
    (found) => {
      repositories.value = found;
      if (used !== '') keepToken(used);
    },
    () => {
      repositories.value = ALL_REPOSITORIES;
    },
  );
});
followAddress();
listenForShortcuts();
startSearching();
startHistogram();
startRejections();
document.body.replaceChildren();
render(<App />, document.body);
