/** A defect and a harmless variant of every role: one call each. In JavaScript, as the wrong clients are. */

/** `caughtBy`: the check that must find it. `about`: what is wrong, in the title, and the change for it. */
export const defect = (caughtBy, id, about) => ({ id, caughtBy, ...about });

export const harmless = (id, about) => ({ id, ...about });
