import { render } from 'preact';
import { App } from './app.tsx';
import { startHistogram } from './histogram/load-histogram.ts';
import { listenForShortcuts } from './keyboard/shortcuts.ts';
import { startLoadingRepositories } from './search/load-repositories.ts';
import { startSearching } from './search/run-search.ts';
import { followAddress } from './state/page-state.ts';
import { serviceUrl } from './state/service.ts';
import './styles/page.css';

startLoadingRepositories();
if (serviceUrl !== undefined) document.title = `${new URL(serviceUrl).host} – logclient`;
followAddress();
listenForShortcuts();
startSearching();
startHistogram();
document.body.replaceChildren();
render(<App />, document.body);
