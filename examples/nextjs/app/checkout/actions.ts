'use server';

import { log } from '../../lib/logging';

export async function pay(): Promise<void> {
  log.info('payment started');
  throw new Error('card declined');
}
