'use client';

import { useEffect } from 'react';
import { browserLog } from '../lib/browser-log';

export default function ErrorPage({ error }: { error: Error & { digest?: string } }) {
  useEffect(() => browserLog.error(error), [error]);
  return <p>Something went wrong.</p>;
}
