import { store, stored } from './preferences.ts';

const KEY = 'logclient.token';

/** The user token: from the URL, from which it is removed, otherwise from an earlier visit; empty if there is none. */
export function takeToken(): string {
  const parameters = new URLSearchParams(location.hash.slice(1));
  const added = parameters.get('token');
  if (added !== null) {
    parameters.delete('token');
    const rest = parameters.toString();
    history.replaceState(null, '', rest === '' ? location.pathname : `#${rest}`);
  }
  return added ?? stored(KEY) ?? '';
}

/** Calls `use` with the token that another tab stored, for example after a restart of the server. */
export function onKeptToken(use: (token: string) => void): void {
  addEventListener('storage', ({ key, newValue }) => {
    if (key === KEY && newValue !== null) use(newValue);
  });
}

/** Stores a token that the server has accepted. An arbitrary link must not replace a valid one. */
export function keepToken(token: string): void {
  store(KEY, token);
}
