/** Two defects of one server at once. */
import { seededRandom } from '#protocol/time/random.ts';
import { bothChanges } from './change.ts';
import type { AuthVariant, Defect, Shape } from './defect.ts';

/** A variant with both defects, or why they cannot be combined. */
export type Composed = { variant: AuthVariant } | { because: string };

/** Pairs of which one prevents the other, with the reason. */
const EXCLUSIVE: readonly (readonly [string, string, string])[] = [
  [
    'logout-forgets-sign',
    'foreign-sign-kept',
    'the report that is refused after the logout brings the signature back',
  ],
  [
    'deletion-leaves-others',
    'user-number-used-again',
    'without a deletion of the user no number becomes free',
  ],
];

/** Combines two defects of one shape in one server: each part is changed by both, by the first one first. */
export function composed(a: Defect, b: Defect): Composed {
  const because = whyApart(a, b);
  if (because !== undefined) return { because };
  const faults = [...(a.faults ?? []), ...(b.faults ?? [])];
  return {
    variant: {
      id: `${a.id}+${b.id}`,
      title: `${a.title}; and: ${b.title}`,
      shape: a.shape,
      ...bothChanges(a, b),
      faults,
      ...((a.settings ?? b.settings) && { settings: { ...a.settings, ...b.settings } }),
      ...((a.file ?? b.file) && { file: bothFiles(a.file, b.file) }),
    },
  };
}

function whyApart(a: Defect, b: Defect): string | undefined {
  const apart = EXCLUSIVE.find(([one, other]) => [a.id, b.id].sort().join() === [one, other].sort().join());
  if (apart) return apart[2];
  const set = Object.keys(a.env ?? {}).find(
    (name) => b.env && name in b.env && a.env?.[name] !== b.env[name],
  );
  if (set !== undefined) return `both set ${set}`;
  if (a.layer === 'digests' && b.layer === 'digests') return 'both make the digest';
  return a.tls && b.tls ? 'both verify certificates in a way of their own' : undefined;
}

/** The changes of both to the adapter file. */
function bothFiles(
  a: AuthVariant['file'] = {},
  b: AuthVariant['file'] = {},
): NonNullable<AuthVariant['file']> {
  const namesUser = [...(a.namesUser ?? []), ...(b.namesUser ?? [])];
  return { ...a, ...b, ...(namesUser.length > 0 && { namesUser }) };
}

/**
 * Draws `count` different pairs of defects of one shape that are found by different checks; fewer where there
 * are no more.
 */
export function seededPairs(defects: readonly Defect[], count: number, seed: number): [Defect, Defect][] {
  const random = seededRandom(seed);
  const draw = (below: number) => Buffer.from(random(6)).readUIntBE(0, 6) % below;
  const shapeOf = ({ shape = 'mock' }: Defect): Shape => shape;
  const pairs = new Map<string, [Defect, Defect]>();
  for (let tries = 0; pairs.size < count && tries < count * MAX_TRIES; tries++) {
    const a = defects[draw(defects.length)] as Defect;
    const others = defects.filter((each) => shapeOf(each) === shapeOf(a) && each.caughtBy !== a.caughtBy);
    const b = others[draw(Math.max(1, others.length))];
    if (b) pairs.set([a.id, b.id].sort().join('+'), [a, b]);
  }
  return [...pairs.values()];
}

/** Limits the draws per wanted pair, because a pair that was drawn already is drawn again. */
const MAX_TRIES = 20;
