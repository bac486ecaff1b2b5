import { loggerOf } from '../../../lib/logger';

export async function GET(
  request: Request,
  { params }: { params: Promise<{ id: string }> },
): Promise<Response> {
  const { id } = await params;
  loggerOf(request).info({ order: { id } }, 'order read');
  return Response.json({ id });
}
