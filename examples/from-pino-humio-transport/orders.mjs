// The app's log calls, which are the same before and after.
export function placeOrders(logger) {
  logger.info({ session: 's-1', order: { id: 'o-1', total: 41.9 } }, 'order placed');
  logger.warn({ store: 'oslo' }, 'stock is low');
  logger.child({ order: { id: 'o-2' } }).error(new Error('no stock'), 'order refused');
}
