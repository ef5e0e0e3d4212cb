/** The seed of the demo's population: all demos of one size show the same patients. */
export const SEED = 7;
