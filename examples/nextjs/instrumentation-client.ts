// Next.js loads this file first on every page, so that no error is missed.
import './lib/browser-log';
