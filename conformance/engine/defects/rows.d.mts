/** Ids with titles, each with its changes. */
export type List<Change> = readonly (string | Change)[];

/** Lists by the check that must find their defects. */
export type Lists<Change> = Readonly<Record<string, List<Change>>>;

type Variant<Whole> = Whole & { id: string; title: string };

export function variantsOf<Change, Whole = Change>(
  list: List<Change>,
  made?: (change: Change) => Whole,
): Variant<Whole>[];
export function defectsOf<Change, Whole = Change>(
  lists: Lists<Change>,
  made?: (change: Change) => Whole,
): (Variant<Whole> & { caughtBy: string })[];
