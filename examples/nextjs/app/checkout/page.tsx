import { headers } from 'next/headers';
import { Suspense } from 'react';
import { log } from '../../lib/logging';
import { pay } from './actions';
import { PayButton } from './pay-button';

type Props = { searchParams: Promise<{ cart?: string }> };

export default function Page(props: Props) {
  return (
    <Suspense>
      <Checkout {...props} />
    </Suspense>
  );
}

async function Checkout({ searchParams }: Props) {
  const { cart } = await searchParams;
  const requestId = (await headers()).get('x-request-id');
  if (cart === undefined) throw new Error('no cart');
  log.info('checkout shown', { cart, requestId });
  return (
    <form action={pay}>
      <PayButton />
    </form>
  );
}
