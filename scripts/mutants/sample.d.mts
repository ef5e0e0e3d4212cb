type Position = { readonly line: number; readonly column: number };

/** What a mutant is told by: where it is, and what stands there instead. */
export type Drawable = {
  readonly id: string;
  readonly fileName: string;
  readonly location: { readonly start: Position; readonly end: Position };
  readonly mutatorName: string;
  readonly replacement: string;
};

/** How many to draw, from which seed; `root` is the directory of the project. */
export type Draw = { readonly count: number; readonly seed: number; readonly root: string };

export function sampleOf(mutants: readonly Drawable[], draw: Draw): Set<string>;
