/** Two defects of one server at once. */
import { seededRandom } from '#protocol/time/random.ts';
import { type Defect, LAYERS, type Shape, type Variant } from './defect.ts';

/** A variant with both defects, or why they cannot be combined. */
export type Composed = { variant: Variant } | { because: string };

/** Pairs of which one prevents the other, with the reason. */
const EXCLUSIVE: readonly (readonly [string, string, string])[] = [
  ['logout-forgets-sign', 'foreign-sign-kept', 'the report that is refused after the logout brings the signature back'],
  ['deletion-leaves-others', 'user-number-used-again', 'without a deletion of the user no number becomes free'],
];

/**
 * Combines two defects of one shape in one server: each part is changed by both, by the first before the
 * second. Ways of sending stand in the order of their layers, so that each meets what the wire brings.
 */
export function composed(a: Defect, b: Defect): Composed {
  const apart = EXCLUSIVE.find(([one, other]) => [a.id, b.id].sort().join() === [one, other].sort().join());
  if (apart) return { because: apart[2] };
  const [ours, theirs] = [a.env ?? {}, b.env ?? {}];
  const set = Object.keys(ours).find((name) => name in theirs && ours[name] !== theirs[name]);
  if (set !== undefined) return { because: `both set ${set}` };
  if (a.variation?.().digest && b.variation?.().digest) return { because: 'both make the digest' };
  if (a.tls && b.tls) return { because: 'both verify certificates in a way of their own' };
  const tls = a.tls ?? b.tls;
  const [first, second] = layerOf(a) <= layerOf(b) ? [a.fetch, b.fetch] : [b.fetch, a.fetch];
  const fetch = first && second ? (send: typeof globalThis.fetch) => second(first(send)) : (first ?? second);
  const variation = bothVariations(a, b);
  const faults = [...(a.faults ?? []), ...(b.faults ?? [])];
  return {
    variant: {
      id: `${a.id}+${b.id}`,
      title: `${a.title}; and: ${b.title}`,
      ...(a.shape && { shape: a.shape }),
      ...(tls && { tls }),
      ...(variation && { variation }),
      ...(fetch && { fetch }),
      ...(faults.length > 0 && { faults }),
      ...((a.settings ?? b.settings) && { settings: { ...a.settings, ...b.settings } }),
      ...((a.file ?? b.file) && { file: bothFiles(a.file, b.file) }),
      env: { ...ours, ...theirs },
    },
  };
}

const layerOf = ({ layer = 'calls' }: Defect) => LAYERS.indexOf(layer);

/** The changes of both to the adapter file. */
function bothFiles(a: Variant['file'] = {}, b: Variant['file'] = {}): NonNullable<Variant['file']> {
  const namesUser = [...(a.namesUser ?? []), ...(b.namesUser ?? [])];
  return { ...a, ...b, ...(namesUser.length > 0 && { namesUser }) };
}

function bothVariations(a: Defect, b: Defect): Variant['variation'] {
  const [first, second] = [a.variation, b.variation];
  if (!first || !second) return first ?? second;
  return () => {
    const [one, two] = [first(), second()];
    const digest = one.digest ?? two.digest;
    return {
      ...(digest && { digest }),
      context: (context) => {
        const changed = one.context?.(context) ?? context;
        return two.context?.(changed) ?? changed;
      },
      pipeline: (pipeline, context) => {
        const changed = one.pipeline?.(pipeline, context) ?? pipeline;
        return two.pipeline?.(changed, context) ?? changed;
      },
    };
  };
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
