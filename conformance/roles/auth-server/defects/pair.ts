/**
 * Puts two defects into one authorization server. The self-test uses such pairs to show that the checks find
 * a defect although the server has another one, too.
 */
import { seededRandom } from '#protocol/time/random.ts';
import { bothChanges } from './change.ts';
import type { AuthVariant, Defect, Shape } from './defect.ts';

/** A variant with both defects, or why they cannot be combined. */
export type Composed = { variant: AuthVariant } | { because: string };

/** Pairs of defects that exclude each other: the ids of both, and the reason. */
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

/** Combines two defects of one shape in one server. Where both change one part, `a` changes it first. */
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

/** Says why two defects cannot be in one server; undefined when they can. */
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

/** Combines the changes of both defects to the adapter file. */
function bothFiles(
  a: AuthVariant['file'] = {},
  b: AuthVariant['file'] = {},
): NonNullable<AuthVariant['file']> {
  const namesUser = [...(a.namesUser ?? []), ...(b.namesUser ?? [])];
  return { ...a, ...b, ...(namesUser.length > 0 && { namesUser }) };
}

/**
 * Draws `count` different pairs of defects. Both defects of a pair are of one shape, and different checks
 * find them. Returns fewer pairs when there are no more. The same seed draws the same pairs.
 */
export function seededPairs(defects: readonly Defect[], count: number, seed: number): [Defect, Defect][] {
  const random = seededRandom(seed);
  // Six random bytes are a number far above `below`, and one that JavaScript represents exactly.
  const draw = (below: number) => Buffer.from(random(6)).readUIntBE(0, 6) % below;
  const shapeOf = ({ shape = 'mock' }: Defect): Shape => shape;
  const pairs = new Map<string, [Defect, Defect]>();
  for (let tries = 0; pairs.size < count && tries < count * MAX_TRIES; tries++) {
    const a = defects[draw(defects.length)] as Defect;
    const others = defects.filter(
      (defect) => shapeOf(defect) === shapeOf(a) && defect.caughtBy !== a.caughtBy,
    );
    const b = others[draw(Math.max(1, others.length))];
    if (b) pairs.set([a.id, b.id].sort().join('+'), [a, b]);
  }
  return [...pairs.values()];
}

/** Limits the draws for each wanted pair, because a draw may repeat a pair that is drawn already. */
const MAX_TRIES = 20;
