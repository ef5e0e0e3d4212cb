/** The forms of standard output, the usual one first. */
export const formats = ['terminal', 'agent'] as const;
export type Format = (typeof formats)[number];
