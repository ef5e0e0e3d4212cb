/**
 * The form of an entry for a fault of public systems that no check of the kit judges: its id in the list of
 * real defects, and the reason.
 */
export type NotJudged = { readonly id: string; readonly because: string };
