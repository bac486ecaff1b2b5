import { loggerOf } from '../../../lib/logger.js';

export async function GET(request, { params }) {
  const { id } = await params;
  loggerOf(request).info({ order: { id } }, 'order read');
  return Response.json({ id });
}
