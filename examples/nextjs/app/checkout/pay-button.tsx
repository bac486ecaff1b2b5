'use client';

import { browserLog } from '../../lib/browser-log';

export function PayButton() {
  return (
    <button type="submit" onClick={() => browserLog.info('pay clicked')}>
      Pay
    </button>
  );
}
