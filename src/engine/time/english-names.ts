export const MONTH_NAMES = [
  ['January', 'Jan'],
  ['February', 'Feb'],
  ['March', 'Mar'],
  ['April', 'Apr'],
  ['May'],
  ['June', 'Jun'],
  ['July', 'Jul'],
  ['August', 'Aug'],
  ['September', 'Sept', 'Sep'],
  ['October', 'Oct'],
  ['November', 'Nov'],
  ['December', 'Dec'],
] as const;

/** Monday is first, as in ISO 8601. */
export const WEEKDAY_NAMES = [
  ['Monday', 'Mon'],
  ['Tuesday', 'Tues', 'Tue'],
  ['Wednesday', 'Wed'],
  ['Thursday', 'Thurs', 'Thur', 'Thu'],
  ['Friday', 'Fri'],
  ['Saturday', 'Sat'],
  ['Sunday', 'Sun'],
] as const;
