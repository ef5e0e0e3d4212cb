/** Reads the lists in which the defects and the harmless variants of every role are written. */

/** What begins a variant: an id in kebab-case and a title. */
const ROW = /^([a-z\d]+(?:-[a-z\d]+)*): (\S.*)$/;

/** A public system that had a defect: an issue or pull request, perhaps with its CVE, or an advisory. */
const SOURCE = /^(?:[\w.-]+\/[\w.-]+#\d+(?: \(CVE-\d+-\d+\))?|CVE-\d+-\d+|GHSA(?:-[a-z\d]{4}){3})$/;

const isText = (value) => typeof value === 'string';

/**
 * Returns the variants of a list. A text `id: title` begins a variant; the title says what the wrong party
 * does. Then follow one or more changes of the right party; the variant has the members that `made` makes of
 * each. Then follow, as texts, the public systems that had the defect.
 * @throws Error when the list has another order, or a text of another form, or when two changes of a variant
 * have the same member
 */
export function variantsOf(list, made = (change) => change) {
  const rows = [];
  for (const each of list) {
    const [, id, title] = (isText(each) && ROW.exec(each)) || [];
    if (id) rows.push({ id, title, changes: [], seenIn: [] });
    else added(rows.at(-1), each);
  }
  return rows.map(({ id, title, changes, seenIn }) => {
    if (changes.length === 0) throw new Error(`The variant ${id} has no change.`);
    return { id, title, ...merged(id, changes.map(made)), ...(seenIn.length > 0 && { seenIn }) };
  });
}

/** Adds a change or a source to the row that it follows. */
function added(row, each) {
  const what = isText(each) ? `The text "${each}"` : 'A change';
  if (isText(each) && !SOURCE.test(each)) throw new Error(`${what} is no "id: title" and no source.`);
  if (!row) throw new Error(`${what} stands before the first variant.`);
  if (isText(each) && row.changes.length === 0)
    throw new Error(`${what} stands before the change of ${row.id}.`);
  if (!isText(each) && row.seenIn.length > 0)
    throw new Error(`${what} stands after the sources of ${row.id}.`);
  row[isText(each) ? 'seenIn' : 'changes'].push(each);
}

/** One change with the members of several. */
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
