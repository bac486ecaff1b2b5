import { store, stored } from './preferences.ts';

const KEY = 'logclient.token';

/** The user token: from the address, which forgets it, else from an earlier visit; empty if there is none. */
export function takeToken(): string {
  const parameters = new URLSearchParams(location.hash.slice(1));
  const given = parameters.get('token');
  if (given !== null) {
    parameters.delete('token');
    const rest = parameters.toString();
    history.replaceState(null, '', rest === '' ? location.pathname : `#${rest}`);
  }
  return given ?? stored(KEY) ?? '';
}

/** Calls back with a token that another tab keeps: that of a server which was started again. */
export function onKeptToken(use: (token: string) => void): void {
  addEventListener('storage', ({ key, newValue }) => {
    if (key === KEY && newValue !== null) use(newValue);
  });
}

/** Keeps a token that the server has accepted: a link from elsewhere must not replace a valid one. */
export function keepToken(token: string): void {
  store(KEY, token);
}
