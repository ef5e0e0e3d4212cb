/** An upper bound of the randomness in a token, from its looks: good for finding what is too weak, never for praising what is strong. */

/**
 * At most this many bits are in `token`: its length times the bits of the alphabet it is drawn from, less what
 * `earlier` tokens of the same source show to be fixed or counted up.
 */
export function entropyBound(token: string, earlier: readonly string[]): number {
  const alphabet = alphabetBits(token);
  const fixed = earlier.length === 0 ? 0 : Math.max(...earlier.map((other) => sharedCharacters(token, other)));
  // A few characters agree by chance: what counts is agreement beyond it.
  const beyondChance = Math.max(0, fixed - Math.ceil(token.length / 4));
  const repeated = Math.min(token.length, new Set(token).size * 8);
  return Math.round(Math.min(token.length - beyondChance, repeated) * alphabet);
}

function alphabetBits(token: string): number {
  if (/^\d+$/.test(token)) return Math.log2(10);
  if (/^[0-9a-f-]+$/i.test(token) && (token === token.toLowerCase() || token === token.toUpperCase())) return 4;
  if (/^[A-Z2-7=]+$/.test(token)) return 5;
  return 6;
}

/** Characters equal at the same place. */
function sharedCharacters(a: string, b: string): number {
  if (a.length !== b.length) return 0;
  let shared = 0;
  for (let at = 0; at < a.length; at++) if (a[at] === b[at]) shared++;
  return shared;
}
