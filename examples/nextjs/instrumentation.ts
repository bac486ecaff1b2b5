export { onRequestError, register } from './lib/logging';
