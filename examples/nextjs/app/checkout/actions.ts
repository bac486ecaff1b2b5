'use server';

import { headers } from 'next/headers';
import { log } from '../../lib/logging';

export async function pay(): Promise<void> {
  const requestId = (await headers()).get('x-request-id');
  log.info('payment started', { requestId });
  // Next.js passes the error to onRequestError.
  throw new Error('card declined');
}
