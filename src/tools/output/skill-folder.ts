import { fileURLToPath } from 'node:url';

/** The skill for coding agents in the package, beside `dist`. */
export const SKILL = fileURLToPath(
  new URL(
    import.meta.url.endsWith('.ts') ? '../../../skills/logclient' : '../skills/logclient',
    import.meta.url,
  ),
);
