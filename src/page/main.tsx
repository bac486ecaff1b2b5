import { effect } from '@preact/signals';
import { render } from 'preact';
import { listSearchDomains } from './api/repositories.ts';
import { App } from './app.tsx';
import { startHistogram } from './histogram/load-histogram.ts';
import { listenForShortcuts } from './keyboard/shortcuts.ts';
import { startSearching } from './search/run-search.ts';
import { followAddress, http, repositories, token } from './state/page-state.ts';
import './styles/page.css';

/** What a service without GraphQL calls all of its repositories. */
const ALL_REPOSITORIES = [{ name: 'search-all', isView: true }];

effect(() => {
  // A new token may see other repositories.
  void token.value;
  listSearchDomains(http).then(
    (found) => {
      repositories.value = found;
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
document.body.replaceChildren();
render(<App />, document.body);
