import { withProxyLogging } from './lib/logging';

export const proxy = withProxyLogging();

export const config = { matcher: '/((?!_next/|favicon.ico|logs/?$).*)' };
