/** A fault of public systems that no check judges, with the reason and the id in the list of real defects. */
export type NotJudged = { readonly id: string; readonly because: string };
