/** What the kinds of facts share: how much each says, and how parts of them are written. */

/** How much the kinds of facts say about a fault: the lowest number says most. */
export const RANK = {
  outcome: 0,
  group: 2,
  wire: 4,
  count: 5,
  order: 6,
  told: 8,
  known: 10,
  code: 12,
  pair: 14,
  leak: 18,
  type: 20,
  literal: 24,
  members: 30,
  header: 35,
  status: 40,
  length: 42,
  time: 44,
};

/** A member of an expression that may be undefined. */
export const on = (js: string | undefined, rest: string) =>
  js === undefined ? undefined : `${js}?${rest.startsWith('[') ? '.' : ''}${rest}`;
