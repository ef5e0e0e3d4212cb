/** How the defects and the harmless variants of every role are written: in lists. */

const isText = (value) => typeof value === 'string';

/** Differs in several ways at once. */
const merged = (changes) => Object.assign({}, ...changes);

/**
 * The variants of a list. A text begins one: its id, and a title that says what this party does. The change
 * in the right party follows, or several, which `joined` makes one of; then the public systems that had it:
 * repository and number of an issue or pull request, or an advisory.
 */
export function variantsOf(list, joined = merged) {
  const rows = [];
  for (const each of list) {
    const [, id, title] = (isText(each) && /^([a-z\d-]+): (.+)$/.exec(each)) || [];
    if (id) rows.push({ id, title, changes: [], seenIn: [] });
    else rows.at(-1)[isText(each) ? 'seenIn' : 'changes'].push(each);
  }
  return rows.map(({ id, title, changes, seenIn }) => ({
    ...{ id, title, ...joined(changes) },
    ...(seenIn.length > 0 && { seenIn }),
  }));
}

/** The defects of lists, each below the check that must find it. */
export const defectsOf = (lists, joined = merged) =>
  Object.entries(lists).flatMap(([caughtBy, list]) =>
    variantsOf(list, joined).map((variant) => ({ ...variant, caughtBy })),
  );
