/** Reads the lists in which the defects and the harmless variants of every role are written. */

const isText = (value) => typeof value === 'string';

/** Makes one change of several: the members of all. */
const merged = (changes) => Object.assign({}, ...changes);

/**
 * Returns the variants of a list. A text `id: title` begins a variant; the title says what the wrong party
 * does. Then follow one or more changes of the right party, which `joined` makes into one. Then follow, as
 * texts, the public systems that had the defect: `owner/repo#number` of an issue, or an advisory.
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

/** Returns the defects of several lists. Key: the id of the check that must find the defects of the list. */
export const defectsOf = (lists, joined = merged) =>
  Object.entries(lists).flatMap(([caughtBy, list]) =>
    variantsOf(list, joined).map((variant) => ({ ...variant, caughtBy })),
  );
