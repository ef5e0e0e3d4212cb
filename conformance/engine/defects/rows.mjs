/** Reads the lists in which the defects and the harmless variants of every role are written. */

/** What begins a variant: an id in kebab-case and a title. */
const ROW = /^([a-z\d]+(?:-[a-z\d]+)*): (\S.*)$/;

const isText = (value) => typeof value === 'string';

/**
 * Returns the variants of a list. A text `id: title` begins a variant; the title says what the wrong party
 * does. Then follow one or more changes of the right party; the variant has the members that `made` makes of
 * each.
 * @throws Error when the list has another order, or a text of another form, or when two changes of a variant
 * have the same member
 */
export function variantsOf(list, made = (change) => change) {
  const rows = [];
  for (const each of list) {
    const [, id, title] = (isText(each) && ROW.exec(each)) || [];
    if (id) rows.push({ id, title, changes: [] });
    else added(rows.at(-1), each);
  }
  return rows.map(({ id, title, changes }) => {
    if (changes.length === 0) throw new Error(`The variant ${id} has no change.`);
    return { id, title, ...merged(id, changes.map(made)) };
  });
}

function added(row, each) {
  if (isText(each)) throw new Error(`The text "${each}" is no "id: title".`);
  if (!row) throw new Error('A change stands before the first variant.');
  row.changes.push(each);
}

function merged(id, changes) {
  const names = changes.flatMap(Object.keys);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`Two changes of ${id} have the member ${twice}.`);
  return Object.assign({}, ...changes);
}

/** Returns the defects of several lists. Key: the id of the check that must find the defects of the list. */
export const defectsOf = (lists, made) =>
  Object.entries(lists).flatMap(([caughtBy, list]) =>
    variantsOf(list, made).map((variant) => ({ ...variant, caughtBy })),
  );
