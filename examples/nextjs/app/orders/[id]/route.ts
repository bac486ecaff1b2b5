import { after } from 'next/server';
import { log, withLogging } from '../../../lib/logging';

type Context = { params: Promise<{ id: string }> };

export const GET = withLogging(async (_request: Request, { params }: Context) => {
  const { id } = await params;
  log.info('order read', { order: { id } });
  after(() => log.info('order counted', { order: { id } }));
  return Response.json({ id });
});
